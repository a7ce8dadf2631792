package dev.millwright.controllers.disruption;

import dev.millwright.controllers.log.LogLevel;
import dev.millwright.controllers.nodepool.PoolBudgets;
import dev.millwright.controllers.step.Effect;
import dev.millwright.kube.cache.View;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Says of each pool once what is wrong with its budgets, and again when that has changed.
final class ToldBudgets {

    private final Map<String, List<String>> byPool = new HashMap<>();

    List<Effect> faults(View view) {
        var effects = new ArrayList<Effect>();
        var present = new HashMap<String, List<String>>();
        for (var pool : view.pools()) {
            var problems = PoolBudgets.of(pool).problems();
            if (problems.isEmpty()) {
                continue;
            }
            var name = pool.pool().name();
            present.put(name, problems);
            if (!problems.equals(byPool.get(name))) {
                effects.add(
                        new Effect.Say(
                                LogLevel.ERROR,
                                "nodepool has budgets that cannot be read, it disrupts nothing",
                                "NodePool",
                                name,
                                "problems",
                                String.join("; ", problems)));
            }
        }
        byPool.clear();
        byPool.putAll(present);
        return effects;
    }
}
