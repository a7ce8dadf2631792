package dev.millwright.controllers.nodeclaim.reboot;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.Deadline;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// How reboots end: the node is back, or it is given up and its claim deleted.
final class RebootEnd {

    static final String SUCCEEDED = "RebootSucceeded";
    static final String FAILED = "RebootFailed";

    /// What a reboot came to, as metrics tell it.
    enum Result {
        SUCCEEDED("succeeded"),
        PROVIDER_ERROR("provider_error"),
        RECOVERY_TIMEOUT("recovery_timeout"),
        INVALID_REQUEST("invalid_request");

        private final String text;

        Result(String text) {
            this.text = text;
        }
    }

    private static final Duration EVENT_DEDUPE = Duration.ofMinutes(30);
    private static final double MILLIS = 1_000.0;

    private final View view;
    private final IssuanceMemory memory;
    private final Instant now;

    RebootEnd(View view, IssuanceMemory memory, Instant now) {
        this.view = view;
        this.memory = memory;
        this.now = now;
    }

    Step succeeded(ClaimObject claim, Condition rebooting) {
        var told = new ArrayList<>(counts(Result.SUCCEEDED, rebooting));
        var issued = claim.conditions().find(ClaimObject.INITIALIZED);
        if (issued != null && issued.status() == Status.UNKNOWN) {
            told.add(
                    new Effect.Observe(
                            Families.NODES_REBOOT_RECOVERY,
                            seconds(issued.changedAt()),
                            List.of()));
        }
        return ended(claim, SUCCEEDED, "the node has booted anew and is ready", told);
    }

    /// A wish that makes no sense costs nothing but itself; all else may have left the node in any
    /// state, and it is replaced.
    Step failed(ClaimObject claim, Condition rebooting, Result result, String why) {
        var told = new ArrayList<Effect>();
        told.add(
                new Effect.Publish(
                        KubeEvent.warning(Subject.of(ResourceType.NODE_CLAIM, claim), FAILED, why)
                                .dedupedBy(episode(claim, rebooting), EVENT_DEDUPE)));
        told.addAll(counts(result, rebooting));
        if (result == Result.INVALID_REQUEST) {
            return ended(claim, FAILED, why, told);
        }
        told.add(forgotten(claim));
        told.add(
                new Effect.Say(
                        LogLevel.INFO,
                        "reboot failed, replacing node",
                        "NodeClaim",
                        claim.name().name(),
                        "result",
                        result.text,
                        "reason",
                        why));
        var drainMax = RebootGrace.of(claim);
        var hurried =
                drainMax instanceof RebootGrace.Bounded(var most)
                        ? Deadline.tightened(claim, now.plus(most))
                        : ClaimChange.of(claim);
        return hurried.written(view, fresh -> Step.of(ClaimDeletion.of(fresh, told)));
    }

    /// What belongs to this reboot goes, so that the next one begins clean.
    private Step ended(ClaimObject claim, String reason, String message, List<Effect> told) {
        var annotations = new TreeMap<>(claim.meta().annotations());
        annotations.remove(AnnotationKeys.REBOOT_PRE_BOOT_ID);
        var all = new ArrayList<Effect>();
        all.add(forgotten(claim));
        all.addAll(told);
        all.add(
                new Effect.Say(
                        LogLevel.INFO,
                        "reboot ended",
                        "NodeClaim",
                        claim.name().name(),
                        "reason",
                        reason));
        return ClaimChange.of(claim)
                .annotations(annotations)
                .conditions(
                        claim.conditions()
                                .with(ClaimObject.REBOOTING, Status.FALSE, reason, message, now))
                .written(view, _ -> Step.of(all));
    }

    private Effect forgotten(ClaimObject claim) {
        return new Effect.Remember(
                "end of a reboot of " + claim.name().name(),
                () -> memory.forget(claim.meta().uid()));
    }

    /// One event a reboot, however often it is looked at.
    static List<String> episode(ClaimObject claim, @Nullable Condition rebooting) {
        return List.of(
                claim.meta().uid(), rebooting == null ? "" : rebooting.changedAt().toString());
    }

    private List<Effect> counts(Result result, Condition rebooting) {
        return List.of(
                new Effect.Count(Families.NODES_REBOOTS, result.text),
                new Effect.Observe(
                        Families.NODES_REBOOT,
                        seconds(rebooting.changedAt()),
                        List.of(result.text)));
    }

    private double seconds(Instant since) {
        return Duration.between(since, now).toMillis() / MILLIS;
    }
}
