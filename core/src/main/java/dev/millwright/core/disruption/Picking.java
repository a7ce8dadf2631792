package dev.millwright.core.disruption;

import dev.millwright.core.cluster.ObjectName;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Picks nodes that may go together: no more of a pool than its budgets leave, and no more pods of
/// a PodDisruptionBudget than it lets go at once, so that their drains do not wait for each other.
///
/// A node that asks too much of a PodDisruptionBudget by itself may go alone: its pods leave one
/// after another.
final class Picking {

    private final Allowances allowances;
    private final Map<ObjectName, Integer> allowed = new HashMap<>();
    private final Map<String, Map<ObjectName, Integer>> demands = new HashMap<>();

    Picking(DisruptionProblem problem, List<Candidate> candidates, Allowances allowances) {
        this.allowances = allowances;
        for (var budget : problem.scheduling().snapshot().disruptionBudgets()) {
            allowed.put(budget.name(), budget.disruptionsAllowed());
        }
        if (!allowed.isEmpty()) {
            var budgets = problem.podBudgets();
            for (var candidate : candidates) {
                var demand = new TreeMap<ObjectName, Integer>();
                for (var pod : candidate.reschedulablePods()) {
                    budgets.selecting(pod)
                            .forEach(budget -> demand.merge(budget.name(), 1, Integer::sum));
                }
                demands.put(candidate.name(), demand);
            }
        }
    }

    /// At most so many of them, in their order.
    List<Candidate> first(List<Candidate> order, int most) {
        var picked = new ArrayList<Candidate>();
        var byPool = new HashMap<String, Integer>();
        var byBudget = new HashMap<ObjectName, Integer>();
        for (var candidate : order) {
            if (picked.size() >= most) {
                break;
            }
            var pool = candidate.nodePool();
            var demand = demands.getOrDefault(candidate.name(), Map.of());
            if (byPool.getOrDefault(pool, 0) < allowances.left(pool)
                    && (picked.isEmpty() || isMet(demand, byBudget))) {
                picked.add(candidate);
                byPool.merge(pool, 1, Integer::sum);
                demand.forEach((budget, pods) -> byBudget.merge(budget, pods, Integer::sum));
            }
        }
        return picked;
    }

    private boolean isMet(Map<ObjectName, Integer> demand, Map<ObjectName, Integer> taken) {
        return demand.entrySet().stream()
                .allMatch(
                        each ->
                                taken.getOrDefault(each.getKey(), 0) + each.getValue()
                                        <= allowed.getOrDefault(each.getKey(), 0));
    }
}
