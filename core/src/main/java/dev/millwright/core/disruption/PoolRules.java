package dev.millwright.core.disruption;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolBudgets;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// What a pool says about taking its nodes away. No `consolidateAfter` means `Never`.
public record PoolRules(
        NodePool pool,
        NodePoolBudgets budgets,
        @Nullable Duration consolidateAfter,
        Consolidation policy) {

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
}
