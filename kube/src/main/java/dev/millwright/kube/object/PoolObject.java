package dev.millwright.kube.object;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolHash;
import dev.millwright.core.policy.NodePoolHash.HashInput;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// A NodePool. `faults` is what the API server let pass and no controller can work with.
public record PoolObject(
        Meta meta,
        NodePool pool,
        HashInput hashInput,
        Disruption disruption,
        Status status,
        List<String> faults)
        implements KubeObject {

    public static final String READY = "Ready";
    public static final String VALIDATION_SUCCEEDED = "ValidationSucceeded";
    public static final String NODE_CLASS_READY = "NodeClassReady";
    public static final String REGISTRATION_HEALTHY = "NodeRegistrationHealthy";

    private static final Conditions.Family FAMILY =
            new Conditions.Family(READY, List.of(VALIDATION_SUCCEEDED, NODE_CLASS_READY));

    public PoolObject {
        faults = List.copyOf(faults);
    }

    /// How nodes may be taken away. No `consolidateAfter` means `Never`.
    public record Disruption(
            @Nullable Duration consolidateAfter, Policy policy, List<Budget> budgets) {
        public Disruption {
            budgets = List.copyOf(budgets);
        }
    }

    public enum Policy {
        WHEN_EMPTY("WhenEmpty"),
        WHEN_EMPTY_OR_UNDERUTILIZED("WhenEmptyOrUnderutilized"),
        BALANCED("Balanced");

        private final String text;

        Policy(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /// A budget as it is written; its schedule is parsed where it is applied. No reasons means all.
    public record Budget(
            String nodes,
            @Nullable List<String> reasons,
            @Nullable String schedule,
            @Nullable String duration) {}

    public record Status(
            Resources resources,
            long nodes,
            @Nullable Long nodeClassObservedGeneration,
            List<Condition> conditions) {
        public Status {
            conditions = List.copyOf(conditions);
        }
    }

    public Conditions conditions() {
        return Conditions.of(FAMILY, meta, status.conditions());
    }

    public boolean isDeleting() {
        return meta.isDeleting();
    }

    public String hash() {
        return NodePoolHash.of(hashInput);
    }

    public @Nullable Duration expireAfter() {
        return hashInput.expireAfter();
    }

    public @Nullable Duration terminationGracePeriod() {
        return hashInput.terminationGracePeriod();
    }
}
