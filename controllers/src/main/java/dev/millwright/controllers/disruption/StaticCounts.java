package dev.millwright.controllers.disruption;

import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.StaticCapacity.Counts;
import dev.millwright.kube.cache.View;

import java.util.Map;
import java.util.TreeMap;

/// The claims of static pools, counted.
final class StaticCounts {

    private StaticCounts() {}

    static Map<String, Counts> of(View view, Marks marks, NodeReservations reservations) {
        var counts = new TreeMap<String, Counts>();
        for (var pool : view.pools()) {
            var name = pool.pool().name();
            if (pool.pool().isStatic()) {
                var claims = PoolUsage.claims(view, marks, name);
                counts.put(
                        name,
                        new Counts(
                                claims.active(),
                                claims.pendingDisruption(),
                                claims.deleting(),
                                reservations.reserved(name)));
            }
        }
        return counts;
    }

    static long nodesMax(NodePool pool) {
        return pool.limits().has(Resources.NODES)
                ? pool.limits().amount(Resources.NODES).units()
                : Long.MAX_VALUE;
    }
}
