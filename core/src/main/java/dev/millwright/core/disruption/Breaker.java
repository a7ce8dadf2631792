package dev.millwright.core.disruption;

import dev.millwright.core.label.LabelKeys;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;

/// Keeps repair off pools of which so many nodes are sick that the fault must lie elsewhere.
final class Breaker {

    /// The most sick nodes of a hundred; rounded up, so that one node of a small pool is repaired.
    private static final int SICK_PERCENT_MAX = 20;

    /// A pool's nodes, whether or not a claim is known for them.
    private record Count(int nodes, int sick) {

        static final Count NONE = new Count(0, 0);

        Count with(boolean isSick) {
            return new Count(nodes + 1, sick + (isSick ? 1 : 0));
        }

        int sickMax() {
            return Math.ceilDiv(nodes * SICK_PERCENT_MAX, 100);
        }
    }

    private final Map<String, Count> counts = new TreeMap<>();

    Breaker(DisruptionProblem problem, RepairRules rules) {
        for (var machine : problem.machines()) {
            var node = machine.node().node();
            var pool = node == null ? null : node.labels().get(LabelKeys.NODE_POOL);
            if (pool != null && !pool.isEmpty()) {
                var isSick = rules.isSick(machine.standing().health());
                counts.put(pool, counts.getOrDefault(pool, Count.NONE).with(isSick));
            }
        }
    }

    /// Why nothing of the pool is repaired now, or null.
    @Nullable KeepReason frozen(String pool) {
        var count = counts.getOrDefault(pool, Count.NONE);
        return count.sick() > count.sickMax()
                ? new KeepReason.PoolUnwell(pool, count.sick(), count.nodes(), count.sickMax())
                : null;
    }
}
