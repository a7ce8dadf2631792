package dev.millwright.core.cluster;

import org.jspecify.annotations.Nullable;

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
    Verdict atAll(Pod pod) {
        return verdict(pod, false);
    }

    /// The budgets that count the pod, by the order they were given in.
    public List<DisruptionBudget> selecting(Pod pod) {
        var near = byNamespace.get(pod.name().namespace());
        return near == null
                ? List.of()
                : near.stream().filter(budget -> budget.selects(pod)).toList();
    }

    private Verdict verdict(Pod pod, boolean isAtPresent) {
        var near = byNamespace.get(pod.name().namespace());
        if (near == null || !pod.isEvictable()) {
            return FREE;
        }
        @Nullable DisruptionBudget only = null;
        for (var budget : near) {
            if (budget.selects(pod)) {
                if (only != null) {
                    return contested(near, pod);
                }
                only = budget;
            }
        }
        if (only == null) {
            return FREE;
        }
        var isClosed = isAtPresent ? only.disruptionsAllowed() <= 0 : only.isFullyBlocking();
        return isClosed && !only.letsGoUnhealthy(pod) ? new Verdict.Blocked(only.name()) : FREE;
    }

    private static Verdict contested(List<DisruptionBudget> near, Pod pod) {
        return new Verdict.Contested(
                near.stream()
                        .filter(budget -> budget.selects(pod))
                        .map(DisruptionBudget::name)
                        .sorted()
                        .toList());
    }
}
