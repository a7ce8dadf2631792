package dev.millwright.controllers.node.eviction;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/// Moves the only pod of a Deployment without a gap: has the Deployment roll out its template anew,
/// so that it makes a copy, waits until that is ready, and takes the old pod away by itself.
///
/// What is asked for is named by the pod's uid. Asking again, after a restart of ours too, changes
/// nothing.
final class CopyFirst {

    /// How long a copy may take to be ready. After that the pod is evicted as any other, within its
    /// budgets.
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final String TEMPLATE_HASH = "pod-template-hash";

    private final EvictionQueue queue;
    private final PodObject pod;
    private final EvictionQueue.Entry entry;
    private final Instant now;

    CopyFirst(EvictionQueue queue, PodObject pod, EvictionQueue.Entry entry, Instant now) {
        this.queue = queue;
        this.pod = pod;
        this.entry = entry;
        this.now = now;
    }

    /// What to do about the pod; `otherwise` evicts it.
    Step step(View view, Supplier<Step> otherwise) {
        var deployment = deployment(view);
        if (deployment == null) {
            return otherwise.get();
        }
        var askedAt = entry.copyAskedAt();
        if (askedAt == null) {
            return ask(deployment, otherwise);
        }
        return now.isBefore(askedAt.plus(PATIENCE))
                ? Step.again(POLL)
                : Step.of(
                                told(
                                        "CopyNotReady",
                                        "Pod %s: no copy was ready within %d minutes, it is evicted; see Deployment %s"
                                                .formatted(
                                                        pod.name(),
                                                        PATIENCE.toMinutes(),
                                                        deployment)))
                        .followedBy(otherwise.get());
    }

    /// The Deployment whose only pod this is, or null. A ReplicaSet of a Deployment is named after
    /// it and the template.
    private @Nullable ObjectName deployment(View view) {
        var owner = pod.pod().wantsCopyFirst() ? pod.pod().state().controller() : null;
        var suffix = "-" + pod.meta().label(TEMPLATE_HASH);
        if (owner == null || suffix.length() == 1 || !owner.name().endsWith(suffix)) {
            return null;
        }
        for (var other : view.pods()) {
            var otherOwner = other.pod().state().controller();
            if (otherOwner != null
                    && otherOwner.uid().equals(owner.uid())
                    && !other.name().equals(pod.name())
                    && other.isActive()) {
                return null;
            }
        }
        var name = owner.name().substring(0, owner.name().length() - suffix.length());
        return new ObjectName(pod.name().namespace(), name);
    }

    private Step ask(ObjectName deployment, Supplier<Step> otherwise) {
        var annotations = Tree.of(ControlKeys.COPY_OF, pod.meta().uid());
        var template = Tree.of("metadata", Tree.of("annotations", annotations));
        var patch =
                new ApiWrite.Patch(
                        ResourceType.DEPLOYMENT,
                        deployment,
                        PatchKind.MERGE,
                        Subresource.NONE,
                        Tree.of("spec", Tree.of("template", template)).mapping());
        return Step.of(
                new Effect.Write(
                        patch,
                        answer -> {
                            if (answer.isDone()) {
                                return asked(deployment);
                            }
                            return answer.isConflict()
                                    ? Step.RETRY
                                    : Step.of(
                                                    told(
                                                            "CopyRefused",
                                                            "Pod %s: Deployment %s cannot be asked for a copy, the pod is evicted: %s"
                                                                    .formatted(
                                                                            pod.name(),
                                                                            deployment,
                                                                            answer.explain())))
                                            .followedBy(otherwise.get());
                        }));
    }

    private Step asked(ObjectName deployment) {
        return Step.of(
                        new Effect.Publish(
                                KubeEvent.normal(
                                        Subject.of(ResourceType.POD, pod),
                                        "CopyRequested",
                                        "Pod %s: leaves node %s when Deployment %s has a copy that is ready"
                                                .formatted(
                                                        pod.name(), pod.nodeName(), deployment))),
                        new Effect.Remember(
                                "copy asked for",
                                () -> queue.copyAsked(pod.name(), pod.meta().uid(), now)))
                .thenAgain(POLL);
    }

    private Effect told(String reason, String message) {
        return new Effect.Publish(
                KubeEvent.warning(Subject.of(ResourceType.POD, pod), reason, message));
    }
}
