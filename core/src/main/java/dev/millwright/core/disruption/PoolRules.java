package dev.millwright.core.disruption;

import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.core.scheduling.LaunchChoice;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What a pool says about taking its nodes away. No `consolidateAfter` means `Never`.
///
/// With a `horizon` the fleet is consolidated as a whole ([WholeFleet]), and a move must pay for
/// itself within so long; without one nodes are looked at as Karpenter does. With a `mix` what
/// stands in for a node is bought as that was.
public record PoolRules(
        NodePool pool,
        NodePoolBudgets budgets,
        @Nullable Duration consolidateAfter,
        Consolidation policy,
        PoolControls controls,
        @Nullable Duration horizon,
        @Nullable CapacityMix mix) {

    public PoolRules {
        if (horizon != null && !horizon.isPositive()) {
            throw new IllegalArgumentException(
                    "horizon %s of NodePool %s must be positive".formatted(horizon, pool.name()));
        }
    }

    /// Of a pool about which nothing else is said.
    public PoolRules(
            NodePool pool,
            NodePoolBudgets budgets,
            @Nullable Duration consolidateAfter,
            Consolidation policy) {
        this(pool, budgets, consolidateAfter, policy, PoolControls.NONE, null, null);
    }

    public PoolRules withBudgets(NodePoolBudgets others) {
        return new PoolRules(pool, others, consolidateAfter, policy, controls, horizon, mix);
    }

    public PoolRules withConsolidateAfter(Duration after) {
        return new PoolRules(pool, budgets, after, policy, controls, horizon, mix);
    }

    public PoolRules withPolicy(Consolidation other) {
        return new PoolRules(pool, budgets, consolidateAfter, other, controls, horizon, mix);
    }

    public PoolRules withControls(PoolControls others) {
        return new PoolRules(pool, budgets, consolidateAfter, policy, others, horizon, mix);
    }

    /// Which nodes may be consolidated.
    public enum Consolidation {
        WHEN_EMPTY("WhenEmpty"),
        WHEN_EMPTY_OR_UNDERUTILIZED("WhenEmptyOrUnderutilized"),
        BALANCED("Balanced");

        private final String text;

        Consolidation(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /// @throws IllegalArgumentException for a policy nobody knows
        public static Consolidation of(String text) {
            for (var policy : values()) {
                if (policy.text.equals(text)) {
                    return policy;
                }
            }
            throw new IllegalArgumentException(
                    "consolidationPolicy \"%s\" is none; wanted WhenEmpty, WhenEmptyOrUnderutilized or Balanced"
                            .formatted(text));
        }
    }

    public String name() {
        return pool.name();
    }

    /// What may stand in for these nodes of whatever pools, of all that is open to it.
    LaunchChoice standIn(LaunchChoice choice, List<Candidate> going) {
        var capacityType =
                mix == null
                        ? null
                        : CapacityMix.inPlaceOf(
                                going.stream().map(each -> each.machine().capacityType()).toList());
        return capacityType == null ? choice : choice.as(capacityType);
    }

    /// Whether what the pool allows depends on the hour.
    boolean isTimed() {
        return budgets.isTimed() || !controls.windows().windows().isEmpty();
    }

    /// Why no node at all goes for the reason now, or null when it is for budgets to say.
    @Nullable KeepReason closed(Reason reason, Instant now) {
        var faulty = budgets.problems();
        if (!faulty.isEmpty()) {
            return new KeepReason.PoolUnreadable(name(), "spec.disruption." + faulty.getFirst());
        }
        if (!reason.isVoluntary()) {
            return null;
        }
        if (controls.freeze() != null) {
            return new KeepReason.Frozen(controls.freeze());
        }
        if (!controls.problems().isEmpty()) {
            return new KeepReason.PoolUnreadable(name(), controls.problems().getFirst());
        }
        var windows = controls.windows();
        return windows.allows(reason, now)
                ? null
                : new KeepReason.OutsideWindows(name(), reason, windows.opensAfter(reason, now));
    }
}
