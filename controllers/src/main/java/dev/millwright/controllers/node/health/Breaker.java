package dev.millwright.controllers.node.health;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;

import java.util.List;

/// How many of the nodes that stand together are broken. Beyond a fifth a repair would more likely
/// do harm: the network or the control plane may be what is broken.
record Breaker(String scope, int unhealthy, int nodes) {

    private static final int TOLERATED_PERCENT = 20;

    /// Counts the nodes of the claim's pool; for a claim that stands alone, all nodes of the
    /// cluster.
    static Breaker of(View view, ClaimObject claim, List<RepairPolicy> policies) {
        var pool = claim.nodePool();
        var together =
                view.nodes().stream()
                        .filter(
                                node ->
                                        pool.isEmpty()
                                                || pool.equals(
                                                        node.meta().label(LabelKeys.NODE_POOL)))
                        .toList();
        var unhealthy =
                together.stream().filter(node -> Ailment.of(node, policies) != null).count();
        return new Breaker(
                pool.isEmpty() ? "the cluster" : "NodePool " + pool,
                Math.toIntExact(unhealthy),
                together.size());
    }

    int unhealthyMax() {
        return Math.ceilDiv(nodes * TOLERATED_PERCENT, 100);
    }

    boolean isOpen() {
        return unhealthy > unhealthyMax();
    }
}
