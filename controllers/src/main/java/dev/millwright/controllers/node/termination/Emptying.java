package dev.millwright.controllers.node.termination;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.Deadline;
import dev.millwright.controllers.node.eviction.EvictionController;
import dev.millwright.controllers.node.eviction.EvictionQueue;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.AttachmentObject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Empties a node of pods, then of volumes, and keeps its claim's conditions in step. Its effects
/// end with [Step.Ending.Done] only when nothing holds the machine any more.
final class Emptying {

    static final Duration POLL = Duration.ofSeconds(1);

    /// A pod that was bound just before kube-scheduler saw the taint shows up within this time.
    static final Duration DRAIN_MIN = Duration.ofSeconds(5);

    private static final String DRAINING = "Draining";
    private static final String AWAITING_VOLUMES = "AwaitingVolumeDetachment";
    private static final String OUT_OF_TIME = "TerminationGracePeriodElapsed";
    private static final int VOLUMES_SHOWN_MAX = 5;

    private final View view;
    private final EvictionQueue queue;
    private final NodeObject node;
    private final @Nullable ClaimObject claim;
    private final @Nullable Instant deadline;
    private final Instant now;

    Emptying(View view, EvictionQueue queue, NodeObject node, Instant now) {
        this.view = view;
        this.queue = queue;
        this.node = node;
        this.claim = view.claimOf(node);
        this.deadline = Deadline.of(claim);
        this.now = now;
    }

    Step step() {
        var drain = Drain.of(view.podsOn(node.name().name()), deadline, now);
        if (!drain.isDone()) {
            return marked(this::draining).followedBy(Step.of(evictions(drain))).thenAgain(POLL);
        }
        if (claim != null && !hasDrainedLongEnough(claim)) {
            return marked(this::draining).thenAgain(POLL);
        }
        return detached();
    }

    private Conditions draining(Conditions conditions) {
        return conditions.with(
                ClaimObject.DRAINED,
                Condition.Status.UNKNOWN,
                DRAINING,
                "pods are made to leave the node",
                now);
    }

    private boolean hasDrainedLongEnough(ClaimObject known) {
        var drained = known.conditions().find(ClaimObject.DRAINED);
        return drained != null
                && switch (drained.status()) {
                    case TRUE -> true;
                    case UNKNOWN -> !now.isBefore(drained.changedAt().plus(DRAIN_MIN));
                    case FALSE -> false;
                };
    }

    private List<Effect> evictions(Drain drain) {
        var effects = new ArrayList<Effect>();
        drain.due().forEach(pod -> effects.addAll(enqueued(pod, true)));
        drain.turn().forEach(pod -> effects.addAll(enqueued(pod, false)));
        var count = drain.waiting().size();
        effects.add(
                new Effect.Publish(
                        KubeEvent.warning(
                                Subject.of(ResourceType.NODE, node),
                                "FailedDraining",
                                "Node %s: %d %s still to leave it"
                                        .formatted(
                                                node.name().name(),
                                                count,
                                                count == 1 ? "pod has" : "pods have"))));
        return effects;
    }

    private List<Effect> enqueued(PodObject pod, boolean isDue) {
        return EvictionController.enqueued(queue, pod, new EvictionQueue.Entry(deadline, isDue));
    }

    private Step detached() {
        var attachments = Attachments.holding(view, node, now);
        var isLate = deadline != null && now.isAfter(deadline);
        var wasDrained = claim == null || claim.conditions().isTrue(ClaimObject.DRAINED);
        var marked =
                marked(
                        conditions ->
                                detaching(
                                        conditions.withTrue(ClaimObject.DRAINED, now),
                                        !attachments.isEmpty(),
                                        isLate));
        var drained =
                wasDrained
                        ? Step.DONE
                        : Step.of(
                                new Effect.Count(
                                        Families.NODES_DRAINED,
                                        node.meta().label(LabelKeys.NODE_POOL)));
        var step = marked.followedBy(drained);
        return attachments.isEmpty() || isLate
                ? step
                : step.followedBy(Step.of(awaiting(attachments))).thenAgain(POLL);
    }

    private Conditions detaching(Conditions conditions, boolean isAttached, boolean isLate) {
        if (!isAttached) {
            return conditions.withTrue(ClaimObject.VOLUMES_DETACHED, now);
        }
        return isLate
                ? conditions.with(
                        ClaimObject.VOLUMES_DETACHED,
                        Condition.Status.FALSE,
                        OUT_OF_TIME,
                        "volumes are still attached, but the node's time is over",
                        now)
                : conditions.with(
                        ClaimObject.VOLUMES_DETACHED,
                        Condition.Status.UNKNOWN,
                        AWAITING_VOLUMES,
                        "volumes are being detached from the node",
                        now);
    }

    private Effect awaiting(List<AttachmentObject> attachments) {
        var shown =
                attachments.stream()
                        .limit(VOLUMES_SHOWN_MAX)
                        .map(attachment -> attachment.name().name())
                        .collect(Collectors.joining(", "));
        var left = attachments.size() - VOLUMES_SHOWN_MAX;
        return new Effect.Publish(
                KubeEvent.normal(
                        Subject.of(ResourceType.NODE, node),
                        AWAITING_VOLUMES,
                        "Node %s: still attached by %s%s"
                                .formatted(
                                        node.name().name(),
                                        shown,
                                        left > 0 ? " and %d others".formatted(left) : "")));
    }

    /// Writes the claim's conditions where they change; later effects wait for that.
    private Step marked(UnaryOperator<Conditions> change) {
        return claim == null
                ? Step.DONE
                : Step.of(
                        ClaimChange.of(claim)
                                .conditions(change.apply(claim.conditions()))
                                .writes(view));
    }
}
