package dev.millwright.controllers.disruption;

import dev.millwright.controllers.nodepool.PoolBudgets;
import dev.millwright.controllers.pod.PodRules;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Nodes that hold no pod one would have to move, and that nothing protects.
final class EmptyNodes {

    /// A machine that may go, with its pool.
    record Empty(ClaimObject claim, NodeObject node, PoolObject pool) {}

    private final View view;
    private final Marks marks;
    private final ClusterState state;
    private final Instant now;
    private final DisruptionBudgets podBudgets;

    EmptyNodes(View view, Marks marks, Instant now) {
        this.view = view;
        this.marks = marks;
        this.state = new ClusterState(marks);
        this.now = now;
        this.podBudgets =
                new DisruptionBudgets(
                        view.cache(Kind.POD_DISRUPTION_BUDGET).all().stream()
                                .map(Kept::value)
                                .toList());
    }

    /// In the order of the claims' names, no more of a pool than its budgets allow.
    List<Empty> withinBudgets() {
        var left = new HashMap<String, Integer>();
        var chosen = new ArrayList<Empty>();
        for (var claim : view.claims()) {
            var empty = emptyOrNull(claim);
            if (empty == null) {
                continue;
            }
            var pool = empty.pool().name().name();
            var allowance = left.computeIfAbsent(pool, _ -> allowance(empty.pool()));
            if (allowance > 0) {
                left.put(pool, allowance - 1);
                chosen.add(empty);
            }
        }
        return chosen;
    }

    /// The claim's node if it may go now, or null.
    @Nullable Empty emptyOrNull(ClaimObject claim) {
        var nodes =
                claim.providerId().isEmpty()
                        ? List.<NodeObject>of()
                        : view.nodesOf(claim.providerId());
        var pool = view.pool(claim.nodePool());
        if (nodes.size() != 1
                || pool == null
                || !view.isManaged(claim.spec().nodeClassRef())
                || !mayConsolidate(pool)) {
            return null;
        }
        var node = nodes.getFirst();
        return isSettled(claim, node) && isUnprotected(node) && isEmpty(node)
                ? new Empty(claim, node, pool)
                : null;
    }

    private static boolean mayConsolidate(PoolObject pool) {
        return !pool.pool().isStatic()
                && !pool.isDeleting()
                && pool.disruption().consolidateAfter() != null;
    }

    private boolean isSettled(ClaimObject claim, NodeObject node) {
        return node.isInitialized()
                && !node.isDeleting()
                && !state.isMarkedForDeletion(node, claim)
                && claim.conditions().isTrue(ClaimObject.CONSOLIDATABLE);
    }

    /// A pod on its way to the node, room kept for a buffer, or an owner who said so.
    private boolean isUnprotected(NodeObject node) {
        var name = node.name().name();
        return !marks.isNominated(name, now)
                && !marks.isHeldOpen(name)
                && !"true".equals(node.meta().annotation(LabelKeys.DO_NOT_DISRUPT));
    }

    private boolean isEmpty(NodeObject node) {
        var cost = 0.0;
        for (var pod : view.podsOn(node.name().name())) {
            if (holds(pod)) {
                return false;
            }
            if (PodRules.isReschedulable(pod)) {
                cost +=
                        Math.max(
                                0,
                                DisruptionCost.ofPod(
                                        pod.meta().annotation(DisruptionCost.DELETION_COST),
                                        pod.priority()));
            }
        }
        return cost <= 0;
    }

    /// Whether the pod keeps its node, be it a daemon's.
    private boolean holds(PodObject pod) {
        var isGuarded = pod.isActive() && !PodRules.isDisruptable(pod, now);
        return isGuarded
                || (pod.isActive()
                        && PodRules.isEvictable(pod, now)
                        && !podBudgets.atPresent(pod.pod()).isFree());
    }

    /// How many nodes of the pool may go now: what its budgets allow, less those that are on their
    /// way out or not ready.
    private int allowance(PoolObject pool) {
        var nodes = 0;
        var disrupting = 0;
        for (var claim : view.claims()) {
            if (!claim.nodePool().equals(pool.name().name())
                    || claim.providerId().isEmpty()
                    || claim.conditions().isTrue(ClaimObject.INSTANCE_TERMINATING)) {
                continue;
            }
            for (var node : view.nodesOf(claim.providerId())) {
                if (node.isInitialized()) {
                    nodes++;
                    disrupting += isDisrupting(claim, node) ? 1 : 0;
                }
            }
        }
        var allowed = PoolBudgets.of(pool).allowed(nodes, NodePoolBudgets.Reason.EMPTY, now);
        return Math.max(0, allowed - disrupting);
    }

    private boolean isDisrupting(ClaimObject claim, NodeObject node) {
        return !node.isReady() || state.isMarkedForDeletion(node, claim);
    }

    static Map<String, String> uids(List<Empty> empties) {
        var uids = new HashMap<String, String>();
        empties.forEach(empty -> uids.put(empty.claim().name().name(), empty.claim().meta().uid()));
        return uids;
    }
}
