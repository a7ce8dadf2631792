package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.MachineClaims;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.TerminateAnswer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;

/// The end of a claim: its nodes go, then its machine, then the finalizer.
final class Finalization {

    /// How often a cloud is asked whether a machine has ended.
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(5);

    private final LaunchMemory memory;

    Finalization(LaunchMemory memory) {
        this.memory = memory;
    }

    Step finalized(View view, ClaimObject claim, Instant now) {
        if (!claim.meta().hasFinalizer(LabelKeys.TERMINATION_FINALIZER)) {
            return Step.DONE;
        }
        var deadline = missingDeadline(claim);
        if (deadline == null) {
            return withoutNodes(view, claim, now);
        }
        var annotations = new TreeMap<>(claim.meta().annotations());
        annotations.put(AnnotationKeys.TERMINATION_TIMESTAMP, deadline.toString());
        return ClaimChange.of(claim)
                .annotations(annotations)
                .written(
                        view,
                        written ->
                                Step.of(expiring(claim, deadline))
                                        .followedBy(withoutNodes(view, written, now)));
    }

    /// By when the node must be drained, where nobody has said so yet.
    private static @Nullable Instant missingDeadline(ClaimObject claim) {
        var grace = claim.spec().terminationGracePeriod();
        var deletedAt = claim.meta().deletedAt();
        return grace == null
                        || deletedAt == null
                        || claim.meta().annotation(AnnotationKeys.TERMINATION_TIMESTAMP) != null
                ? null
                : deletedAt.plus(grace).truncatedTo(ChronoUnit.SECONDS);
    }

    private static Effect expiring(ClaimObject claim, Instant deadline) {
        return new Effect.Publish(
                KubeEvent.warning(
                        Subject.of(ResourceType.NODE_CLAIM, claim),
                        "TerminationGracePeriodExpiring",
                        "pods that are still on the node are deleted, whatever their budgets, so that all are gone by %s"
                                .formatted(deadline)));
    }

    /// A node that never registered is not known to be ours. The going of the last node calls for
    /// the next step.
    private Step withoutNodes(View view, ClaimObject claim, Instant now) {
        var nodes =
                claim.conditions().isTrue(ClaimObject.REGISTERED)
                        ? view.nodesOf(claim.providerId())
                        : List.<NodeObject>of();
        if (nodes.isEmpty()) {
            return withoutMachine(view, claim, now);
        }
        return Step.of(
                nodes.stream()
                        .filter(node -> !node.isDeleting())
                        .map(Finalization::deletion)
                        .toList());
    }

    private static Effect deletion(NodeObject node) {
        return new Effect.Write(
                new ApiWrite.Delete(ResourceType.NODE, node.name(), node.meta().uid(), null),
                Answers::deleted);
    }

    private Step withoutMachine(View view, ClaimObject claim, Instant now) {
        if (!claim.providerId().isEmpty()) {
            return Step.of(termination(view, claim, now));
        }
        // The claim may have been deleted between the launch and the write that tells of it.
        var machine = memory.find(claim.meta().uid(), now);
        return machine == null
                ? Step.of(untold(claim, now))
                : Launch.withMachine(Progress.of(view, now, claim), machine)
                        .change()
                        .written(view, written -> Step.of(termination(view, written, now)));
    }

    /// A machine nobody was told of: the answer to its launch was lost, or the process died before
    /// writing it down. The cloud finds it by the claim's uid, and says Gone where there is none.
    private Effect untold(ClaimObject claim, Instant now) {
        return new AutoscalerEffect.Terminate(
                MachineClaims.of(claim),
                answer ->
                        switch (answer) {
                            case TerminateAnswer.Started() -> Step.again(ASKED_AGAIN);
                            case TerminateAnswer.Gone() -> Step.of(release(claim, now));
                            case TerminateAnswer.Failed(var message) ->
                                    Step.failed(
                                            "NodeClaim %s: whether it has a machine cannot be told, %s"
                                                    .formatted(claim.name().name(), message));
                        });
    }

    private Effect termination(View view, ClaimObject claim, Instant now) {
        return new AutoscalerEffect.Terminate(
                MachineClaims.of(claim),
                answer ->
                        switch (answer) {
                            case TerminateAnswer.Started() ->
                                    terminating(claim, now)
                                            .written(view, _ -> Step.again(ASKED_AGAIN));
                            case TerminateAnswer.Gone() ->
                                    terminating(claim, now)
                                            .written(view, written -> gone(written, now));
                            case TerminateAnswer.Failed(var message) ->
                                    Step.failed(
                                            "NodeClaim %s: machine %s cannot be terminated, %s"
                                                    .formatted(
                                                            claim.name().name(),
                                                            claim.providerId(),
                                                            message));
                        });
    }

    private static ClaimChange terminating(ClaimObject claim, Instant now) {
        return ClaimChange.of(claim)
                .conditions(claim.conditions().withTrue(ClaimObject.INSTANCE_TERMINATING, now));
    }

    private Step gone(ClaimObject claim, Instant now) {
        var terminating = claim.conditions().find(ClaimObject.INSTANCE_TERMINATING);
        var since = terminating == null ? now : terminating.changedAt();
        return Step.of(
                observation(Families.NODECLAIMS_INSTANCE_TERMINATION, claim, since, now),
                release(claim, now));
    }

    private Effect release(ClaimObject claim, Instant now) {
        var finalizers =
                claim.meta().finalizers().stream()
                        .filter(each -> !each.equals(LabelKeys.TERMINATION_FINALIZER))
                        .toList();
        var metadata = claim.meta().locked().putTextList("finalizers", finalizers);
        return new Effect.Write(
                new ApiWrite.Patch(
                        ResourceType.NODE_CLAIM,
                        claim.name(),
                        PatchKind.MERGE,
                        Subresource.NONE,
                        Tree.of("metadata", metadata).mapping()),
                answer -> released(claim, now, answer));
    }

    private Step released(ClaimObject claim, Instant now, ApiAnswer answer) {
        if (!answer.isDone()) {
            return Answers.usual(answer);
        }
        var deletedAt = claim.meta().deletedAt();
        return Step.of(
                new Effect.Remember("end of a claim", () -> memory.forget(claim.meta().uid())),
                observation(
                        Families.NODECLAIMS_TERMINATION,
                        claim,
                        deletedAt == null ? now : deletedAt,
                        now),
                new Effect.Count(
                        Families.NODECLAIMS_TERMINATED,
                        claim.nodePool(),
                        claim.meta().label(LabelKeys.CAPACITY_TYPE),
                        claim.meta().label(LabelKeys.ZONE)),
                new Effect.Say(
                        LogLevel.INFO,
                        "deleted a claim",
                        "NodeClaim",
                        claim.name().name(),
                        "Node",
                        claim.status().nodeName(),
                        "provider-id",
                        claim.providerId()));
    }

    private static Effect observation(
            MetricFamily family, ClaimObject claim, Instant since, Instant now) {
        var seconds = Math.max(0, Duration.between(since, now).toMillis() / 1_000.0);
        return new Effect.Observe(family, seconds, List.of(claim.nodePool()));
    }
}
