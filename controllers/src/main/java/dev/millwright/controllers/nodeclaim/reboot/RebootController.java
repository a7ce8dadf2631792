package dev.millwright.controllers.nodeclaim.reboot;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.node.Condemned;
import dev.millwright.controllers.node.eviction.EvictionController;
import dev.millwright.controllers.node.eviction.EvictionQueue;
import dev.millwright.controllers.node.termination.Drain;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.MachineClaims;
import dev.millwright.controllers.nodeclaim.reboot.RebootEnd.Result;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.RebootAnswer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/// Sees a reboot through that a claim's condition asks for: keeps new pods off the node, makes
/// those on it leave, asks the cloud, and waits until the node has another boot id and is ready.
///
/// All that must outlive this process is on the claim. Pods that do not leave in time stay on the
/// node through its reboot.
public final class RebootController implements Controller {

    public static final String NAME = "nodeclaim.reboot";

    /// The reasons of the condition while a reboot lasts.
    public static final String REQUESTED = Condemned.REBOOT_REQUESTED;

    static final String ISSUED = "RebootIssued";

    private static final Duration POLL = Duration.ofSeconds(15);
    private static final Duration RECOVERY_MAX = Duration.ofMinutes(20);
    private static final Duration ISSUANCE_MAX = Duration.ofMinutes(5);

    /// A pod that was bound just before kube-scheduler saw the taint shows up within this time.
    private static final Duration DRAIN_MIN = Duration.ofSeconds(5);

    private static final Duration EVENT_DEDUPE = Duration.ofMinutes(30);
    private static final int AT_ONCE = 10;

    private final EvictionQueue evictions;
    private final IssuanceMemory memory;

    public RebootController(EvictionQueue evictions, IssuanceMemory memory) {
        this.evictions = evictions;
        this.memory = memory;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    /// A node that booted need not wait for the next look.
    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(Kind.NODE_CLAIM, (_, change) -> ofClaim(change)),
                new Watch<>(Kind.NODE, RebootController::ofNode));
    }

    private static List<ObjectName> ofClaim(Change<ClaimObject> change) {
        var claim = change.after();
        return claim != null && claim.conditions().find(ClaimObject.REBOOTING) != null
                ? List.of(change.name())
                : List.of();
    }

    private static List<ObjectName> ofNode(View view, Change<NodeObject> change) {
        var before = change.before();
        var after = change.after();
        if (after == null
                || (before != null
                        && before.bootId().equals(after.bootId())
                        && before.isReady() == after.isReady())) {
            return List.of();
        }
        var claim = view.claimOf(after);
        return claim != null && claim.conditions().isTrue(ClaimObject.REBOOTING)
                ? List.of(claim.name())
                : List.of();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claim = view.claim(key.name());
        var rebooting = claim == null ? null : claim.conditions().find(ClaimObject.REBOOTING);
        if (claim == null || rebooting == null || !rebooting.isTrue() || claim.isDeleting()) {
            return claim == null ? Step.DONE : Step.of(forgotten(claim));
        }
        var nodes = view.nodesOf(claim.providerId());
        var node = nodes.size() == 1 ? nodes.getFirst() : null;
        var isIssued = rebooting.reason().equals(ISSUED);
        var deadline = deadline(claim, rebooting, isIssued, node == null);
        if (deadline != null && now.isAfter(deadline)) {
            return late(view, claim, rebooting, node, now);
        }
        if (node == null) {
            return Step.again(POLL);
        }
        if (isIssued) {
            return recovering(view, claim, rebooting, node, now);
        }
        return rebooting.reason().equals(REQUESTED)
                ? requested(view, claim, rebooting, node, now)
                : Step.DONE;
    }

    private Effect forgotten(ClaimObject claim) {
        return new Effect.Remember(
                "no reboot of " + claim.name().name(), () -> memory.forget(claim.meta().uid()));
    }

    /// By when the present phase must be over; null while pods may still take their time.
    private @Nullable Instant deadline(
            ClaimObject claim, Condition rebooting, boolean isIssued, boolean isNodeGone) {
        if (isIssued) {
            var initialized = claim.conditions().find(ClaimObject.INITIALIZED);
            return initialized != null && initialized.status() == Status.UNKNOWN
                    ? initialized.changedAt().plus(RECOVERY_MAX)
                    : null;
        }
        var begun = memory.begun(claim.meta().uid());
        if (begun != null) {
            return begun.plus(ISSUANCE_MAX);
        }
        return isNodeGone ? rebooting.changedAt().plus(ISSUANCE_MAX) : null;
    }

    private Step late(
            View view,
            ClaimObject claim,
            Condition rebooting,
            @Nullable NodeObject node,
            Instant now) {
        return rebooting.reason().equals(ISSUED)
                ? failed(
                        view,
                        claim,
                        node,
                        now,
                        Result.RECOVERY_TIMEOUT,
                        "the node did not boot and get ready within " + minutes(RECOVERY_MAX))
                : failed(
                        view,
                        claim,
                        node,
                        now,
                        Result.PROVIDER_ERROR,
                        "the cloud did not accept the reboot within " + minutes(ISSUANCE_MAX));
    }

    private static String minutes(Duration duration) {
        return duration.toMinutes() + " minutes";
    }

    private Step requested(
            View view, ClaimObject claim, Condition rebooting, NodeObject node, Instant now) {
        var grace = RebootGrace.of(claim);
        if (grace instanceof RebootGrace.Unreadable(var text)) {
            return failed(
                    view,
                    claim,
                    node,
                    now,
                    Result.INVALID_REQUEST,
                    "annotation %s \"%s\" is no duration; wanted one such as 5m"
                            .formatted(AnnotationKeys.REBOOT_GRACE_PERIOD, text));
        }
        return RebootMarks.fenced(node)
                .followedBy(drained(view, claim, rebooting, node, grace, now));
    }

    private Step drained(
            View view,
            ClaimObject claim,
            Condition rebooting,
            NodeObject node,
            RebootGrace grace,
            Instant now) {
        var bootId = claim.meta().annotation(AnnotationKeys.REBOOT_PRE_BOOT_ID);
        if (bootId != null) {
            return node.bootId().equals(bootId)
                    ? Step.of(begun(claim, now)).followedBy(issue(view, claim, node, now))
                    : issued(view, claim, node, now);
        }
        var wait = drain(view, rebooting, node, grace, now);
        return wait != null ? wait : recorded(view, claim, node, now);
    }

    private Effect begun(ClaimObject claim, Instant now) {
        return new Effect.Remember(
                "asks to reboot " + claim.name().name(),
                () -> memory.begin(claim.meta().uid(), now));
    }

    /// What to do while pods are still to leave; null once nobody is waited for any more.
    private @Nullable Step drain(
            View view, Condition rebooting, NodeObject node, RebootGrace grace, Instant now) {
        var most = grace instanceof RebootGrace.Bounded(var duration) ? duration : null;
        if (most != null && most.isZero()) {
            return null;
        }
        var floor = rebooting.changedAt().plus(DRAIN_MIN);
        var drain = Drain.of(view.podsOn(node.name().name()), null, now);
        if (drain.isDone()) {
            return now.isBefore(floor) ? Step.again(Duration.between(now, floor)) : null;
        }
        var effects = new ArrayList<Effect>();
        for (var pod : drain.turn()) {
            effects.addAll(
                    EvictionController.enqueued(
                            evictions, pod, new EvictionQueue.Entry(null, false)));
        }
        if (most == null) {
            return Step.of(effects).thenAgain(POLL);
        }
        var end = rebooting.changedAt().plus(most.compareTo(DRAIN_MIN) > 0 ? most : DRAIN_MIN);
        if (!now.isBefore(end)) {
            return null;
        }
        return Step.of(effects).thenAgain(POLL).thenAgain(Duration.between(now, end));
    }

    /// The old boot id goes on the claim before the cloud is asked: a process that dies in between
    /// does not ask for a second reboot.
    private Step recorded(View view, ClaimObject claim, NodeObject node, Instant now) {
        var annotations = new TreeMap<>(claim.meta().annotations());
        annotations.put(AnnotationKeys.REBOOT_PRE_BOOT_ID, node.bootId());
        return Step.of(begun(claim, now))
                .followedBy(
                        ClaimChange.of(claim)
                                .annotations(annotations)
                                .written(view, fresh -> issue(view, fresh, node, now)));
    }

    private Step issue(View view, ClaimObject claim, NodeObject node, Instant now) {
        return Step.of(
                new AutoscalerEffect.Reboot(
                        MachineClaims.of(claim),
                        operation(claim),
                        answer ->
                                switch (answer) {
                                    case RebootAnswer.Accepted() -> issued(view, claim, node, now);
                                    case RebootAnswer.Unsupported() ->
                                            refused(
                                                    view,
                                                    claim,
                                                    node,
                                                    now,
                                                    "the cloud cannot reboot machines");
                                    case RebootAnswer.Refused(var message) ->
                                            refused(
                                                    view,
                                                    claim,
                                                    node,
                                                    now,
                                                    "the cloud refuses to reboot it: " + message);
                                    case RebootAnswer.Gone() ->
                                            refused(
                                                    view,
                                                    claim,
                                                    node,
                                                    now,
                                                    "the machine to be rebooted is gone");
                                    case RebootAnswer.Failed(var message) ->
                                            Step.failed(
                                                    "cannot reboot the machine of NodeClaim %s: %s"
                                                            .formatted(
                                                                    claim.name().name(), message));
                                }));
    }

    private Step refused(View view, ClaimObject claim, NodeObject node, Instant now, String why) {
        return failed(view, claim, node, now, Result.PROVIDER_ERROR, why);
    }

    /// One name for one reboot, whoever asks and how often.
    private static String operation(ClaimObject claim) {
        var rebooting = claim.conditions().find(ClaimObject.REBOOTING);
        return "%s-%d-%s"
                .formatted(
                        claim.meta().uid(),
                        rebooting == null ? 0 : rebooting.changedAt().getEpochSecond(),
                        Objects.requireNonNullElse(
                                claim.meta().annotation(AnnotationKeys.REBOOT_PRE_BOOT_ID), ""));
    }

    /// A node is initialised for one boot: what that promised holds no longer.
    private Step issued(View view, ClaimObject claim, NodeObject node, Instant now) {
        var rebooting = claim.conditions().find(ClaimObject.REBOOTING);
        var conditions =
                claim.conditions()
                        .with(
                                ClaimObject.REBOOTING,
                                Status.TRUE,
                                ISSUED,
                                rebooting == null ? "" : rebooting.message(),
                                now)
                        .with(
                                ClaimObject.INITIALIZED,
                                Status.UNKNOWN,
                                ClaimObject.REBOOTING,
                                "the node is being rebooted",
                                now);
        return ClaimChange.of(claim)
                .conditions(conditions)
                .written(view, _ -> RebootMarks.uninitialized(node).thenAgain(POLL));
    }

    private Step recovering(
            View view, ClaimObject claim, Condition rebooting, NodeObject node, Instant now) {
        var unlabelled = RebootMarks.uninitialized(node);
        var bootId = claim.meta().annotation(AnnotationKeys.REBOOT_PRE_BOOT_ID);
        if (node.bootId().equals(Objects.requireNonNullElse(bootId, ""))) {
            return unlabelled.thenAgain(POLL);
        }
        var seen =
                unlabelled
                        .followedBy(RebootMarks.unfenced(node))
                        .followedBy(
                                Step.of(
                                        new Effect.Publish(
                                                KubeEvent.normal(
                                                                Subject.of(
                                                                        ResourceType.NODE_CLAIM,
                                                                        claim),
                                                                "RebootObserved",
                                                                "Node %s has booted anew; waiting until it is ready"
                                                                        .formatted(
                                                                                node.name().name()))
                                                        .dedupedBy(
                                                                RebootEnd.episode(claim, rebooting),
                                                                EVENT_DEDUPE))));
        return node.isReady()
                ? seen.followedBy(new RebootEnd(view, memory, now).succeeded(claim, rebooting))
                : seen.thenAgain(POLL);
    }

    private Step failed(
            View view,
            ClaimObject claim,
            @Nullable NodeObject node,
            Instant now,
            Result result,
            String why) {
        var rebooting = claim.conditions().find(ClaimObject.REBOOTING);
        if (rebooting == null) {
            return Step.DONE;
        }
        var end = new RebootEnd(view, memory, now).failed(claim, rebooting, result, why);
        return node == null ? end : RebootMarks.unfenced(node).followedBy(end);
    }
}
