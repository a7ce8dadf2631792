package dev.millwright.world.invariant;

import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.Kept;
import dev.millwright.world.invariant.seen.SeenCluster;
import dev.millwright.world.invariant.seen.SeenPod;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which pods each PodDisruptionBudget selects.
final class BudgetMembers {

    private final TreeMap<ObjectName, Kept<DisruptionBudget>> budgets = new TreeMap<>();
    private final Map<ObjectName, TreeSet<ObjectName>> podsByBudget = new HashMap<>();
    private final Map<ObjectName, List<ObjectName>> budgetsByPod = new HashMap<>();

    void saw(Sight.OfPod change) {
        var before = change.before();
        var after = change.after();
        if (before != null && after != null && before.labels().equals(after.labels())) {
            return;
        }
        if (before != null) {
            forget(before.name());
        }
        if (after != null) {
            join(after);
        }
    }

    void saw(Sight.OfBudget change, SeenCluster cluster) {
        var before = change.before();
        var after = change.after();
        if (before != null
                && after != null
                && Objects.equals(before.value().selector(), after.value().selector())) {
            budgets.put(after.name(), after);
            return;
        }
        if (before != null) {
            budgets.remove(before.name());
        }
        if (after != null) {
            budgets.put(after.name(), after);
        }
        rejoin(cluster, before == null ? after : before);
    }

    private void rejoin(SeenCluster cluster, @Nullable Kept<DisruptionBudget> changed) {
        if (changed == null) {
            return;
        }
        podsByBudget.remove(changed.name());
        for (var pod : cluster.pods()) {
            if (pod.name().namespace().equals(changed.name().namespace())) {
                forget(pod.name());
                join(pod);
            }
        }
    }

    private void forget(ObjectName pod) {
        var joined = budgetsByPod.remove(pod);
        if (joined != null) {
            for (var budget : joined) {
                var members = podsByBudget.get(budget);
                if (members != null) {
                    members.remove(pod);
                }
            }
        }
    }

    private void join(SeenPod pod) {
        var joined = new ArrayList<ObjectName>();
        for (var budget : budgets.values()) {
            var selector = budget.value().selector();
            if (selector != null
                    && budget.name().namespace().equals(pod.name().namespace())
                    && selector.matches(pod.labels())) {
                joined.add(budget.name());
                podsByBudget.computeIfAbsent(budget.name(), _ -> new TreeSet<>()).add(pod.name());
            }
        }
        if (!joined.isEmpty()) {
            budgetsByPod.put(pod.name(), joined);
        }
    }

    /// The budgets that select the pod.
    List<DisruptionBudget> of(ObjectName pod) {
        return budgetsByPod.getOrDefault(pod, List.of()).stream()
                .map(budgets::get)
                .filter(Objects::nonNull)
                .map(Kept::value)
                .toList();
    }

    Collection<ObjectName> pods(ObjectName budget) {
        var members = podsByBudget.get(budget);
        return members == null ? List.of() : Collections.unmodifiableCollection(members);
    }
}
