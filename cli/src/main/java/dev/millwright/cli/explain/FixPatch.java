package dev.millwright.cli.explain;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.Change;
import dev.millwright.core.explain.PodChange;
import dev.millwright.core.explain.PoolChange;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// A change as a merge patch of its object: what is to be written, whole lists where a list
/// changes. A pod's patch belongs into the template of its workload.
final class FixPatch {

    private FixPatch() {}

    /// One for each change, to be applied in this order: a list that two of them change is in the
    /// second patch as both leave it.
    static List<SequencedMap<String, @Nullable Object>> of(
            List<Change> changes, Pod pod, List<NodePool> pools) {
        var patches = new ArrayList<SequencedMap<String, @Nullable Object>>();
        var changing = pod;
        var changingPools = new LinkedHashMap<String, NodePool>();
        pools.forEach(pool -> changingPools.put(pool.name(), pool));
        for (var change : changes) {
            switch (change) {
                case PodChange of -> {
                    patches.add(map("spec", pod(of, changing)));
                    changing = of.on(changing);
                }
                case PoolChange of -> {
                    var pool =
                            changingPools.computeIfPresent(of.nodePool(), (_, was) -> of.on(was));
                    patches.add(pool == null ? new LinkedHashMap<>() : pool(of, pool));
                }
            }
        }
        return patches;
    }

    private static Object pod(PodChange change, Pod pod) {
        var changed = change.on(pod);
        return switch (change) {
            case PodChange.Tolerate _ ->
                    map(
                            "tolerations",
                            changed.placement().tolerations().stream()
                                    .map(FixPatch::toleration)
                                    .toList());
            case PodChange.AskForLess(var requests, _) ->
                    map("resources", map("requests", amounts(requests)));
            case PodChange.RenameLabel _, PodChange.UseValue _, PodChange.DropDemand _ ->
                    demands(pod, changed);
            case PodChange.LoosenSpread(var key) ->
                    map(
                            "topologySpreadConstraints",
                            List.of(
                                    map(
                                            "topologyKey",
                                            key,
                                            "whenUnsatisfiable",
                                            "ScheduleAnyway")));
            case PodChange.DropNeighbours(var neighbours, _) ->
                    map(
                            "affinity",
                            map(
                                    neighbours.field(),
                                    map("requiredDuringSchedulingIgnoredDuringExecution", null)));
            case PodChange.DropHostPorts(var ports) ->
                    map(
                            "containers",
                            List.of(
                                    map(
                                            "ports",
                                            ports.stream()
                                                    .map(
                                                            port ->
                                                                    map(
                                                                            "hostPort",
                                                                            null,
                                                                            "containerPort",
                                                                            port))
                                                    .toList())));
        };
    }

    /// Selector and node affinity, each only where it changes.
    private static Object demands(Pod before, Pod after) {
        var spec = new LinkedHashMap<String, @Nullable Object>();
        var selector = new LinkedHashMap<String, @Nullable Object>();
        var was = before.placement().nodeSelector();
        var is = after.placement().nodeSelector();
        was.keySet().stream()
                .filter(key -> !is.containsKey(key))
                .forEach(key -> selector.put(key, null));
        is.forEach(
                (key, value) -> {
                    if (!value.equals(was.get(key))) {
                        selector.put(key, value);
                    }
                });
        if (!selector.isEmpty()) {
            spec.put("nodeSelector", selector);
        }
        var terms = after.placement().nodeAffinity().required();
        if (!terms.equals(before.placement().nodeAffinity().required())) {
            spec.put(
                    "affinity",
                    map(
                            "nodeAffinity",
                            map(
                                    "requiredDuringSchedulingIgnoredDuringExecution",
                                    terms.isEmpty()
                                            ? null
                                            : map(
                                                    "nodeSelectorTerms",
                                                    terms.stream()
                                                            .map(
                                                                    term ->
                                                                            map(
                                                                                    "matchExpressions",
                                                                                    expressions(
                                                                                            term
                                                                                                    .expressions())))
                                                            .toList()))));
        }
        return spec;
    }

    /// @param changed the pool with the change, and with those that are to be made before it
    static SequencedMap<String, @Nullable Object> pool(PoolChange change, NodePool changed) {
        var template = changed.template();
        return switch (change) {
            case PoolChange.RaiseLimits(_, var limits) ->
                    map("spec", map("limits", amounts(limits)));
            case PoolChange.Admit _,
                    PoolChange.LowerMinValues _,
                    PoolChange.DropRequirement _,
                    PoolChange.RenameRequirement _,
                    PoolChange.ReplaceValue _ ->
                    templateSpec("requirements", expressions(template.requirements()));
            case PoolChange.DropTaint _ ->
                    templateSpec(
                            "taints", template.taints().stream().map(FixPatch::taint).toList());
            case PoolChange.AddLabel(_, var key, var value) ->
                    map("spec", map("template", map("metadata", map("labels", map(key, value)))));
        };
    }

    private static SequencedMap<String, @Nullable Object> templateSpec(String field, Object value) {
        return map("spec", map("template", map("spec", map(field, value))));
    }

    private static List<Object> expressions(List<Requirement> requirements) {
        var all = new ArrayList<Object>();
        for (var requirement : requirements) {
            requirement.selectorRequirements().forEach(each -> all.add(expression(each)));
        }
        return all;
    }

    private static Object expression(SelectorRequirement requirement) {
        var expression = map("key", requirement.key(), "operator", requirement.operator().text());
        if (!requirement.values().isEmpty()) {
            expression.put("values", requirement.values());
        }
        if (requirement.minValues() != null) {
            expression.put("minValues", requirement.minValues());
        }
        return expression;
    }

    private static Object toleration(Toleration toleration) {
        var all = new LinkedHashMap<String, @Nullable Object>();
        if (!toleration.key().isEmpty()) {
            all.put("key", toleration.key());
        }
        switch (toleration.match()) {
            case EQUAL -> all.put("value", toleration.value());
            case EXISTS -> all.put("operator", "Exists");
            case GREATER_THAN -> compared(all, "Gt", toleration.value());
            case LESS_THAN -> compared(all, "Lt", toleration.value());
        }
        if (toleration.effect() != null) {
            all.put("effect", toleration.effect().text());
        }
        return all;
    }

    private static void compared(
            Map<String, @Nullable Object> toleration, String operator, String value) {
        toleration.put("operator", operator);
        toleration.put("value", value);
    }

    private static Object taint(Taint taint) {
        return map("key", taint.key(), "value", taint.value(), "effect", taint.effect().text());
    }

    private static Object amounts(Resources resources) {
        var amounts = new LinkedHashMap<String, @Nullable Object>();
        for (Map.Entry<String, Quantity> entry : resources.amounts().entrySet()) {
            amounts.put(entry.getKey(), Resources.render(entry.getKey(), entry.getValue()));
        }
        return amounts;
    }

    static SequencedMap<String, @Nullable Object> map(
            String key, @Nullable Object value, @Nullable Object... more) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put(key, value);
        for (var at = 0; at + 1 < more.length; at += 2) {
            map.put(String.valueOf(more[at]), more[at + 1]);
        }
        return map;
    }
}
