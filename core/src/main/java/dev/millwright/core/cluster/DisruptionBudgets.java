package dev.millwright.core.cluster;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The PodDisruptionBudgets of a cluster, and what they say to an eviction.
public final class DisruptionBudgets {

    /// Whether budgets let a pod go.
    public sealed interface Verdict {

        record Free() implements Verdict {}

        record Blocked(ObjectName budget) implements Verdict {}

        /// Several budgets select the pod; the eviction API refuses that whatever they allow.
        record Contested(List<ObjectName> budgets) implements Verdict {
            public Contested {
                budgets = List.copyOf(budgets);
            }
        }

        default boolean isFree() {
            return this instanceof Free;
        }

        /// The budgets in the way.
        default List<ObjectName> budgets() {
            return switch (this) {
                case Free() -> List.of();
                case Blocked(var budget) -> List.of(budget);
                case Contested(var budgets) -> budgets;
            };
        }
    }

    private static final Verdict FREE = new Verdict.Free();

    private final Map<String, List<DisruptionBudget>> byNamespace;

    public DisruptionBudgets(List<DisruptionBudget> budgets) {
        byNamespace =
                budgets.stream()
                        .collect(
                                Collectors.groupingBy(
                                        budget -> budget.name().namespace(),
                                        TreeMap::new,
                                        Collectors.toList()));
    }

    /// Whether the pod could be evicted now.
    public Verdict atPresent(Pod pod) {
        return verdict(pod, true);
    }

    /// Whether the pod can ever be evicted: a budget that is merely used up says yes.
    public Verdict atAll(Pod pod) {
        return verdict(pod, false);
    }

    private Verdict verdict(Pod pod, boolean isAtPresent) {
        var near = byNamespace.get(pod.name().namespace());
        if (near == null || !pod.isEvictable()) {
            return FREE;
        }
        var selecting = near.stream().filter(budget -> budget.selects(pod)).toList();
        if (selecting.size() > 1) {
            return new Verdict.Contested(
                    selecting.stream().map(DisruptionBudget::name).sorted().toList());
        }
        for (var budget : selecting) {
            var isClosed =
                    isAtPresent ? budget.disruptionsAllowed() <= 0 : budget.isFullyBlocking();
            if (isClosed && !budget.letsGoUnhealthy(pod)) {
                return new Verdict.Blocked(budget.name());
            }
        }
        return FREE;
    }
}
