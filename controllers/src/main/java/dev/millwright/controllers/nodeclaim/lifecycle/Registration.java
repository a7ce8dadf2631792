package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.nodeclaim.MachineClaims;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.RegistrationHook;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Finds the node of a launched machine and makes it the claim's.
final class Registration {

    private final RegistrationHealth health;

    Registration(RegistrationHealth health) {
        this.health = health;
    }

    Step registered(Progress progress, Function<Progress, Step> next) {
        if (!progress.conditions().isUnknown(ClaimObject.REGISTERED)) {
            return next.apply(progress.observed(ClaimObject.REGISTERED));
        }
        var nodes = progress.view().nodesOf(progress.claim().providerId());
        if (nodes.isEmpty()) {
            return next.apply(
                    progress.waiting(
                            ClaimObject.REGISTERED,
                            "NodeNotFound",
                            "no Node has the provider id of this claim yet"));
        }
        if (nodes.size() > 1) {
            return next.apply(
                    progress.refused(
                            ClaimObject.REGISTERED,
                            "MultipleNodesFound",
                            "Nodes %s have the provider id of this claim; one was wanted"
                                    .formatted(names(nodes))));
        }
        var node = nodes.getFirst();
        var step =
                Step.of(
                        new AutoscalerEffect.AskHooks(
                                MachineClaims.of(progress.claim()),
                                answers -> hooked(progress, node, answers, next)));
        return isUnmarked(node) ? Step.of(unmarked(progress, node)).followedBy(step) : step;
    }

    private static String names(List<NodeObject> nodes) {
        return String.join(", ", nodes.stream().map(node -> node.name().name()).toList());
    }

    /// Pods may have come to such a node before its taints did.
    private static boolean isUnmarked(NodeObject node) {
        return !node.meta().labels().containsKey(LabelKeys.REGISTERED)
                && node.taintValues().stream()
                        .noneMatch(value -> NodeSync.isMark(value, Taint.UNREGISTERED));
    }

    private static List<Effect> unmarked(Progress progress, NodeObject node) {
        return List.of(
                new Effect.Say(
                        LogLevel.ERROR,
                        "node came without the unregistered taint",
                        "NodeClaim",
                        progress.claim().name().name(),
                        "Node",
                        node.name().name(),
                        "taint",
                        Taint.UNREGISTERED.toString()),
                new Effect.Publish(
                        KubeEvent.warning(
                                Subject.of(ResourceType.NODE_CLAIM, progress.claim()),
                                "UnregisteredTaintMissing",
                                "Node %s came without the taint %s; have its kubelet register with it, else pods may start before the node is set up"
                                        .formatted(node.name().name(), Taint.UNREGISTERED))));
    }

    private Step hooked(
            Progress progress,
            NodeObject node,
            SequencedMap<String, RegistrationHook.Answer> answers,
            Function<Progress, Step> next) {
        var pending = new ArrayList<String>();
        var labels = new TreeMap<>(progress.claim().meta().labels());
        var after = progress;
        for (var entry : answers.entrySet()) {
            switch (entry.getValue()) {
                case RegistrationHook.Answer.Passed(var more) -> labels.putAll(more);
                case RegistrationHook.Answer.Pending(var again) -> {
                    pending.add(entry.getKey());
                    after = again == null ? after.retry() : after.again(again);
                }
                case RegistrationHook.Answer.Failed(var message) -> {
                    pending.add(entry.getKey());
                    after =
                            after.failed(
                                    "NodeClaim %s: registration hook %s failed, %s"
                                            .formatted(
                                                    progress.claim().name().name(),
                                                    entry.getKey(),
                                                    message));
                }
            }
        }
        after = after.with(after.change().labels(labels));
        if (pending.isEmpty()) {
            return synced(after, node, true, done -> healthy(done, node, next), next);
        }
        var waiting =
                after.waiting(
                        ClaimObject.REGISTERED,
                        "RegistrationHookPending",
                        "registration waits for " + String.join(", ", pending));
        return synced(waiting, node, false, next, next);
    }

    /// Writes the node. What does not go is no reason to lose what was found of the claim.
    private static Step synced(
            Progress progress,
            NodeObject node,
            boolean isRegistering,
            Function<Progress, Step> done,
            Function<Progress, Step> undone) {
        var patch = new NodeSync(node, progress.claim(), isRegistering).patch();
        if (patch == null) {
            return done.apply(progress);
        }
        return Step.of(
                new Effect.Write(
                        patch,
                        answer ->
                                answer.isDone()
                                        ? done.apply(progress)
                                        : undone.apply(unwritten(progress, node, answer))));
    }

    /// A node that went meanwhile tells so by an event of its own.
    static Progress unwritten(Progress progress, NodeObject node, ApiAnswer answer) {
        return answer.isConflict() || answer.isNotFound()
                ? progress.retry()
                : progress.failed(
                        "Node %s: cannot be written, %s"
                                .formatted(node.name().name(), answer.explain()));
    }

    /// The pool learns of it before the claim does: what fails here is done again.
    private Step healthy(Progress progress, NodeObject node, Function<Progress, Step> next) {
        return health.succeeded(progress, done -> next.apply(registered(done, node)), next);
    }

    private Progress registered(Progress progress, NodeObject node) {
        var claim = progress.claim();
        var change =
                progress.change()
                        .status(
                                old ->
                                        new ClaimObject.Status(
                                                node.name().name(),
                                                old.providerId(),
                                                old.imageId(),
                                                old.capacity(),
                                                old.allocatable(),
                                                old.lastPodEventAt(),
                                                old.conditions()));
        return progress.with(change)
                .found(ClaimObject.REGISTERED)
                .afterwards(health.recorded(progress, true))
                .afterwards(
                        new Effect.Count(
                                Families.NODES_CREATED,
                                claim.nodePool(),
                                claim.meta().label(LabelKeys.ZONE)),
                        new Effect.Say(
                                LogLevel.INFO,
                                "registered a node",
                                "NodeClaim",
                                claim.name().name(),
                                "Node",
                                node.name().name(),
                                "provider-id",
                                claim.providerId()));
    }
}
