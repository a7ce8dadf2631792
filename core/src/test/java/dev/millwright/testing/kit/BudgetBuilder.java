package dev.millwright.testing.kit;

import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Selector;

import java.util.Map;

/// A PodDisruptionBudget in the making, of the pods with some labels.
public record BudgetBuilder(DisruptionBudget budget) implements ClusterPart {

    static BudgetBuilder named(String name, Map<String, String> labels) {
        return new BudgetBuilder(
                new DisruptionBudget(
                        new ObjectName("default", name),
                        Selector.ofLabels(labels),
                        null,
                        null,
                        false,
                        0));
    }

    public BudgetBuilder maxUnavailable(String bound) {
        return new BudgetBuilder(
                new DisruptionBudget(
                        budget.name(),
                        budget.selector(),
                        bound,
                        budget.minAvailable(),
                        budget.alwaysAllowsUnhealthy(),
                        budget.disruptionsAllowed()));
    }

    public BudgetBuilder minAvailable(String bound) {
        return new BudgetBuilder(
                new DisruptionBudget(
                        budget.name(),
                        budget.selector(),
                        budget.maxUnavailable(),
                        bound,
                        budget.alwaysAllowsUnhealthy(),
                        budget.disruptionsAllowed()));
    }

    public BudgetBuilder alwaysAllowingUnhealthy() {
        return new BudgetBuilder(
                new DisruptionBudget(
                        budget.name(),
                        budget.selector(),
                        budget.maxUnavailable(),
                        budget.minAvailable(),
                        true,
                        budget.disruptionsAllowed()));
    }

    public BudgetBuilder disruptionsAllowed(int count) {
        return new BudgetBuilder(
                new DisruptionBudget(
                        budget.name(),
                        budget.selector(),
                        budget.maxUnavailable(),
                        budget.minAvailable(),
                        budget.alwaysAllowsUnhealthy(),
                        count));
    }
}
