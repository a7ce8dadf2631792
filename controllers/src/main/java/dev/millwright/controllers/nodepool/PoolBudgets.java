package dev.millwright.controllers.nodepool;

import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.NodePoolBudgets.Times;
import dev.millwright.kube.object.Durations;
import dev.millwright.kube.object.PoolObject;

/// A pool's budgets as core reckons with them.
public final class PoolBudgets {

    private PoolBudgets() {}

    public static NodePoolBudgets of(PoolObject pool) {
        return new NodePoolBudgets(
                pool.disruption().budgets().stream().map(PoolBudgets::budget).toList());
    }

    private static Budget budget(PoolObject.Budget written) {
        var duration = written.duration();
        var length = Durations.read(duration);
        if (duration != null && length == null) {
            var problem =
                    "duration \"%s\" is none; wanted hours and minutes such as 1h30m"
                            .formatted(duration);
            return new Budget(
                    NodePoolBudgets.Amount.of(written.nodes()),
                    written.reasons(),
                    new Times.Unreadable(problem));
        }
        return Budget.of(written.nodes(), written.reasons(), written.schedule(), length);
    }
}
