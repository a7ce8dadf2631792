package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;

/// Which bound pods must find a new home because their node goes.
final class Leaving {

    private Leaving() {}

    /// Whether the pod certainly has to be placed anew.
    static boolean mustMove(Facts facts, Pod pod) {
        return mayMove(facts, pod) && !hasDurationAnnotation(pod);
    }

    /// Whether the pod may have to: how long a do-not-disrupt holds depends on the time, which a
    /// problem does not state.
    static boolean mayMove(Facts facts, Pod pod) {
        var nodeName = pod.state().nodeName();
        var node = nodeName == null ? null : facts.node(nodeName);
        return node != null
                && node.isMarkedForDeletion()
                && pod.state().isReschedulable()
                && !isProtected(pod)
                && !isBlockedByBudget(facts, pod);
    }

    private static boolean isActive(Pod pod) {
        return !pod.state().isTerminal() && !pod.state().isTerminating();
    }

    private static boolean isProtected(Pod pod) {
        return isActive(pod) && "true".equals(pod.annotations().get(LabelKeys.DO_NOT_DISRUPT));
    }

    private static boolean hasDurationAnnotation(Pod pod) {
        return isActive(pod) && pod.annotations().containsKey(LabelKeys.DO_NOT_DISRUPT);
    }

    private static boolean isBlockedByBudget(Facts facts, Pod pod) {
        var isEvictable =
                isActive(pod)
                        && !pod.state().isMirror()
                        && pod.placement().tolerations().stream()
                                .noneMatch(toleration -> toleration.tolerates(Taint.DISRUPTED));
        if (!isEvictable) {
            return false;
        }
        var budgets =
                facts.problem().snapshot().disruptionBudgets().stream()
                        .filter(budget -> budget.selects(pod))
                        .toList();
        if (budgets.size() > 1) {
            return true;
        }
        return budgets.stream()
                .anyMatch(
                        budget ->
                                budget.isFullyBlocking()
                                        && !(budget.alwaysAllowsUnhealthy()
                                                && pod.state().isKnownNotReady()));
    }
}
