package dev.millwright.core.disruption;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A machine of the cluster with all that a decision about its end looks at. `pods` are those bound
/// to it.
public record Machine(StateNode node, Standing standing, List<MovedPod> pods) {

    /// A pod, and what moving it costs ([DisruptionCost#ofPod]).
    public record MovedPod(Pod pod, double cost) {}

    /// What objects and this process's memory say about the machine.
    ///
    /// `claimUid` tells one claim from a later one of the same name. `isQueued`: a command about it
    /// is under way. `virtualPods` counts pods of capacity buffers that a plan put there.
    /// `driftedAt` and `isConsolidatable` are the claim's conditions. `isReturning`: it is only
    /// unwanted because it may be spot again.
    public record Standing(
            String claimUid,
            boolean isReady,
            boolean isInstanceTerminating,
            boolean isQueued,
            boolean isNominated,
            int virtualPods,
            @Nullable Instant driftedAt,
            boolean isReturning,
            boolean isConsolidatable,
            @Nullable Duration terminationGracePeriod,
            NodeHealth health) {

        /// The same, whenever pods last came or went.
        public Standing consolidatable() {
            return new Standing(
                    claimUid,
                    isReady,
                    isInstanceTerminating,
                    isQueued,
                    isNominated,
                    virtualPods,
                    driftedAt,
                    isReturning,
                    true,
                    terminationGracePeriod,
                    health);
        }

        /// Of a machine nobody says anything about the health of.
        public Standing(
                String claimUid,
                boolean isReady,
                boolean isInstanceTerminating,
                boolean isQueued,
                boolean isNominated,
                int virtualPods,
                @Nullable Instant driftedAt,
                boolean isConsolidatable,
                @Nullable Duration terminationGracePeriod) {
            this(
                    claimUid,
                    isReady,
                    isInstanceTerminating,
                    isQueued,
                    isNominated,
                    virtualPods,
                    driftedAt,
                    false,
                    isConsolidatable,
                    terminationGracePeriod,
                    NodeHealth.UNKNOWN);
        }
    }

    public Machine {
        pods = List.copyOf(pods);
    }

    public String name() {
        return node.name();
    }

    /// The pool by its label; empty for a machine that says none.
    public String nodePool() {
        return node.labels().getOrDefault(LabelKeys.NODE_POOL, "");
    }

    public String instanceType() {
        return node.labels().getOrDefault(LabelKeys.INSTANCE_TYPE, "");
    }

    public String zone() {
        return node.labels().getOrDefault(LabelKeys.ZONE, "");
    }

    public String capacityType() {
        return node.labels().getOrDefault(LabelKeys.CAPACITY_TYPE, "");
    }

    /// Whether time alone may change what is decided about it.
    boolean isTimed(RepairRules repair) {
        return standing.isNominated()
                || repair.concerns(standing.health())
                || pods.stream().anyMatch(moved -> isGuardedForAWhile(moved.pod()));
    }

    private static boolean isGuardedForAWhile(Pod pod) {
        var guard = pod.annotations().get(LabelKeys.DO_NOT_DISRUPT);
        return guard != null && !guard.equals("true");
    }

    /// Whether pools' budgets count it among their nodes.
    boolean isCounted() {
        return node.isManaged()
                && (node.isInitialized() || standing.health().isRebooting())
                && !standing.isInstanceTerminating();
    }

    /// Whether it takes up budget: it goes, or it does not work. A sick node does not take up the
    /// budget for its own repair.
    boolean isDisrupting(Reason reason) {
        return (!standing.isReady() && reason != Reason.UNHEALTHY)
                || standing.health().isRebooting()
                || node.isMarkedForDeletion()
                || standing.isQueued();
    }
}
