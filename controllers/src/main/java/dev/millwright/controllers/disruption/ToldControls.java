package dev.millwright.controllers.disruption;

import dev.millwright.controllers.nodepool.DisruptionControls;
import dev.millwright.core.policy.Freeze;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Says once what is wrong with what a pool says about disruption, and what is frozen; and again
/// when that has changed.
final class ToldControls {

    private final Map<String, List<String>> problemsByPool = new HashMap<>();
    private final TreeMap<String, String> frozen = new TreeMap<>();

    List<Effect> news(View view) {
        var effects = new ArrayList<>(faults(view));
        effects.addAll(freezes(view));
        return effects;
    }

    private List<Effect> faults(View view) {
        var effects = new ArrayList<Effect>();
        var present = new HashMap<String, List<String>>();
        for (var pool : view.pools()) {
            var problems = DisruptionControls.problems(pool);
            if (problems.isEmpty()) {
                continue;
            }
            var name = pool.pool().name();
            present.put(name, problems);
            if (!problems.equals(problemsByPool.get(name))) {
                effects.add(
                        new Effect.Say(
                                LogLevel.ERROR,
                                "nodepool has budgets or windows that cannot be read, it disrupts nothing",
                                "NodePool",
                                name,
                                "problems",
                                String.join("; ", problems)));
            }
        }
        problemsByPool.clear();
        problemsByPool.putAll(present);
        return effects;
    }

    private List<Effect> freezes(View view) {
        var present = new TreeMap<String, String>();
        put(present, Freezes.ofCluster(view));
        for (var pool : view.pools()) {
            put(present, Freeze.ofPool(pool.pool().name(), pool.meta().annotations()));
        }
        var effects = new ArrayList<Effect>();
        present.forEach(
                (where, why) -> {
                    if (!why.equals(frozen.get(where))) {
                        effects.add(
                                new Effect.Say(
                                        LogLevel.INFO,
                                        "disruption is frozen",
                                        "by",
                                        where,
                                        "reason",
                                        why));
                    }
                });
        frozen.keySet().stream()
                .filter(where -> !present.containsKey(where))
                .forEach(
                        where ->
                                effects.add(
                                        new Effect.Say(
                                                LogLevel.INFO,
                                                "disruption is no longer frozen",
                                                "by",
                                                where)));
        frozen.clear();
        frozen.putAll(present);
        return effects;
    }

    private static void put(Map<String, String> present, @Nullable Freeze freeze) {
        if (freeze != null) {
            present.put(freeze.where(), freeze.why());
        }
    }
}
