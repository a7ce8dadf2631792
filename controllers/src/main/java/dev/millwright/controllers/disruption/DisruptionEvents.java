package dev.millwright.controllers.disruption;

import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What is told about nodes that go and nodes that stay, on the objects their owners look at.
final class DisruptionEvents {

    private static final Duration UNCONSOLIDATABLE_DEDUPE = Duration.ofMinutes(15);
    private static final Duration POOL_DEDUPE = Duration.ofMinutes(1);

    /// Longest text of a message; the API server takes 1,024 characters.
    private static final int MESSAGE_LENGTH_MAX = 1_000;

    private DisruptionEvents() {}

    /// Why the machine stays, on node and claim; nothing for what is as it should be.
    static List<Effect> kept(@Nullable NodeObject node, ClaimObject claim, KeepReason reason) {
        return switch (reason.tone()) {
            case QUIET -> List.of();
            case BLOCKED ->
                    onBoth(
                            node,
                            claim,
                            "DisruptionBlocked",
                            "kept: " + reason.explain(),
                            KubeEvent.DEDUPE_DEFAULT);
            case UNCONSOLIDATABLE ->
                    onBoth(
                            node,
                            claim,
                            "Unconsolidatable",
                            "not consolidated: " + reason.explain(),
                            UNCONSOLIDATABLE_DEDUPE);
        };
    }

    /// `why` is what closes the pool besides its budgets, if anything does.
    static Effect poolClosed(PoolObject pool, Reason reason, @Nullable KeepReason why) {
        return onPool(
                pool,
                why == null
                        ? "budgets allow no disruption for reason %s now; see spec.disruption.budgets"
                                .formatted(reason.text())
                        : "no disruption for reason %s: %s".formatted(reason.text(), why.explain()),
                reason.text());
    }

    /// Once for all reasons.
    static Effect poolFrozen(PoolObject pool, Freeze freeze) {
        return onPool(pool, "no disruption: " + freeze.explain(), freeze.where());
    }

    private static Effect onPool(PoolObject pool, String message, String dedupe) {
        return new Effect.Publish(
                KubeEvent.normal(
                                Subject.of(ResourceType.NODE_POOL, pool),
                                "DisruptionBlocked",
                                shortened(message))
                        .dedupedBy(List.of(pool.meta().uid(), dedupe), POOL_DEDUPE));
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_LENGTH_MAX
                ? message
                : message.substring(0, MESSAGE_LENGTH_MAX) + "…";
    }

    static Effect launching(ClaimObject replacement, Reason reason) {
        return new Effect.Publish(
                KubeEvent.normal(
                                Subject.of(ResourceType.NODE_CLAIM, replacement),
                                "DisruptionLaunching",
                                "Launching NodeClaim: " + reason.text())
                        .dedupedBy(
                                List.of(replacement.meta().uid(), reason.text()),
                                KubeEvent.DEDUPE_DEFAULT));
    }

    static Effect waiting(ClaimObject replacement) {
        return new Effect.Publish(
                KubeEvent.normal(
                        Subject.of(ResourceType.NODE_CLAIM, replacement),
                        "DisruptionWaitingReadiness",
                        "a disruption waits until this NodeClaim is Initialized"));
    }

    static List<Effect> terminating(@Nullable NodeObject node, ClaimObject claim, Reason reason) {
        var effects = new ArrayList<Effect>();
        if (node != null) {
            effects.add(
                    new Effect.Publish(
                            KubeEvent.normal(
                                            Subject.of(ResourceType.NODE, node),
                                            "DisruptionTerminating",
                                            "Disrupting Node: " + reason.text())
                                    .dedupedBy(
                                            List.of(node.meta().uid(), reason.text()),
                                            KubeEvent.DEDUPE_DEFAULT)));
        }
        effects.add(
                new Effect.Publish(
                        KubeEvent.normal(
                                        Subject.of(ResourceType.NODE_CLAIM, claim),
                                        "DisruptionTerminating",
                                        "Disrupting NodeClaim: " + reason.text())
                                .dedupedBy(
                                        List.of(claim.meta().uid(), reason.text()),
                                        KubeEvent.DEDUPE_DEFAULT)));
        return effects;
    }

    private static List<Effect> onBoth(
            @Nullable NodeObject node,
            ClaimObject claim,
            String reason,
            String message,
            Duration dedupe) {
        var text = shortened(message);
        var effects = new ArrayList<Effect>();
        if (node != null) {
            effects.add(published(Subject.of(ResourceType.NODE, node), reason, text, dedupe));
        }
        effects.add(published(Subject.of(ResourceType.NODE_CLAIM, claim), reason, text, dedupe));
        return effects;
    }

    private static Effect published(
            Subject subject, String reason, String message, Duration dedupe) {
        return new Effect.Publish(
                KubeEvent.normal(subject, reason, message)
                        .dedupedBy(List.of(subject.uid()), dedupe));
    }
}
