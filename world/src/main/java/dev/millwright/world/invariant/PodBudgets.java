package dev.millwright.world.invariant;

import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.world.invariant.seen.Owner;
import dev.millwright.world.invariant.seen.SeenPod;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeSet;

/// No pod is made to leave against its PodDisruptionBudget, but at its node's deadline.
///
/// It counts the pods itself, and forgives what the budget's own status could not know yet: a pod
/// that failed or went by another hand a moment ago still counts as healthy, and pods that were
/// asked for a moment ago are not missed yet. A pod that is ill may go while enough are healthy.
final class PodBudgets implements Invariant {

    private final Court court;
    private final BudgetMembers members = new BudgetMembers();

    /// When pods were last healthy, that were made ill by somebody else than the operator, or by
    /// their node's deadline.
    private final Map<ObjectName, Lost> lost = new HashMap<>();

    private record Lost(Instant at, TreeSet<ObjectName> budgets) {}

    PodBudgets(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "pod-budget";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.OfBudget change) {
            members.saw(change, court.cluster());
        }
        if (!(sight instanceof Sight.OfPod change)) {
            return;
        }
        var before = change.before();
        if (before != null) {
            var isOurs = Sight.isOperator(change.by());
            if (change.isRemoval() && isOurs) {
                removed(change, before);
            }
            noteHealth(change, before, isOurs);
        }
        members.saw(change);
    }

    private void noteHealth(Sight.OfPod change, SeenPod before, boolean isOurs) {
        var after = change.after();
        var isHealthy = after != null && after.isHealthy();
        if (isHealthy) {
            lost.remove(before.name());
        } else if (before.isHealthy() && (!isOurs || Deadlines.isDue(court, before, change.at()))) {
            var covering = new TreeSet<ObjectName>();
            members.of(before.name()).forEach(budget -> covering.add(budget.name()));
            if (!covering.isEmpty()) {
                lost.put(before.name(), new Lost(change.at(), covering));
            }
        }
    }

    private void removed(Sight.OfPod change, SeenPod pod) {
        var at = change.at();
        if (pod.phase() != SeenPod.Phase.RUNNING || Deadlines.isDue(court, pod, at)) {
            return;
        }
        forgetOld(at);
        var budgets = members.of(pod.name());
        if (budgets.size() > 1) {
            court.tell(
                    breach(
                            at,
                            "Pod %s: was made to leave by %s, though %d budgets select it; wanted no eviction then"
                                    .formatted(pod.name(), change.by(), budgets.size())));
        }
        for (var budget : budgets) {
            check(change, pod, budget);
        }
    }

    private void check(Sight.OfPod change, SeenPod pod, DisruptionBudget budget) {
        if (!pod.isReady() && budget.alwaysAllowsUnhealthy()) {
            return;
        }
        var healthy = 0;
        var present = 0;
        for (var name : members.pods(budget.name())) {
            var other = court.cluster().pod(name);
            if (other == null || name.equals(pod.name())) {
                continue;
            }
            present += other.isActive() ? 1 : 0;
            healthy += other.isHealthy() ? 1 : 0;
        }
        for (var entry : lost.entrySet()) {
            var isCounted = !pod.isReady() || !entry.getKey().equals(pod.name());
            healthy += isCounted && entry.getValue().budgets().contains(budget.name()) ? 1 : 0;
        }
        var desired = desired(budget, present + 1, change.at());
        if (healthy < desired) {
            court.tell(
                    breach(
                            change.at(),
                            "Pod %s: was made to leave node %s by %s, which leaves %d healthy pods to budget %s; wanted at least %d (%s)"
                                    .formatted(
                                            pod.name(),
                                            pod.nodeName(),
                                            change.by(),
                                            healthy,
                                            budget.name(),
                                            desired,
                                            inWords(budget))));
        }
    }

    private static String inWords(DisruptionBudget budget) {
        return budget.maxUnavailable() == null
                ? "minAvailable " + budget.minAvailable()
                : "maxUnavailable " + budget.maxUnavailable();
    }

    private void forgetOld(Instant now) {
        var oldest = now.minus(Bounds.BUDGET_LAG);
        lost.values().removeIf(each -> each.at().isBefore(oldest));
    }

    private int desired(DisruptionBudget budget, int present, Instant now) {
        var minAvailable = budget.minAvailable();
        if (minAvailable != null && !minAvailable.endsWith("%")) {
            return Integer.parseInt(minAvailable);
        }
        var expected = expected(budget, present, now);
        var maxUnavailable = budget.maxUnavailable();
        if (maxUnavailable != null) {
            return Math.max(0, expected - part(maxUnavailable, expected));
        }
        return minAvailable == null ? 0 : part(minAvailable, expected);
    }

    /// Shares are rounded up, as Kubernetes does for both kinds of bound.
    private static int part(String text, int expected) {
        return text.endsWith("%")
                ? Math.ceilDiv(
                        Integer.parseInt(text.substring(0, text.length() - 1)) * expected, 100)
                : Integer.parseInt(text);
    }

    /// How many pods there should be: what their workloads are asked for.
    private int expected(DisruptionBudget budget, int present, Instant now) {
        var workloads = court.cluster().workloads();
        var expected = 0;
        var counted = new HashSet<Owner>();
        for (var name : members.pods(budget.name())) {
            var pod = court.cluster().pod(name);
            if (pod == null) {
                continue;
            }
            var owner = workloads.of(pod);
            if (counted.add(owner)) {
                var replicas = leastAsked(owner, now);
                if (replicas == null) {
                    return present;
                }
                expected += replicas;
            }
        }
        return expected;
    }

    private @Nullable Integer leastAsked(Owner owner, Instant now) {
        return court.cluster().workloads().leastSince(owner, now.minus(Bounds.BUDGET_LAG));
    }
}
