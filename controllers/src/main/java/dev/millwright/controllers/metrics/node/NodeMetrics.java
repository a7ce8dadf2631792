package dev.millwright.controllers.metrics.node;

import dev.millwright.controllers.metrics.Amounts;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.NodeFamilies;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Tells of every node that is there. Sums are taken over all pods each time, gauges are set only
/// where a sum has changed: setting them is what costs.
public final class NodeMetrics implements Singleton {

    private static final String NAME = "metrics.node";
    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final double PERCENT = 100;

    private final NodeFamilies families;
    private final ClusterState state;

    /// What was told last, by node. There is one key, so that one step at a time comes here.
    private final Map<String, NodeFigures> told = new TreeMap<>();

    public NodeMetrics(NodeFamilies families, ClusterState state) {
        this.families = families;
        this.state = state;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var figures = new TreeMap<String, NodeFigures>();
        var common = new ArrayList<GaugeSample>();
        var allocatable = new ArrayList<Resources>();
        var requested = new ArrayList<Resources>();
        for (var machine : state.nodes(view)) {
            var node = machine.node() == null ? null : view.node(machine.name());
            if (node == null) {
                continue;
            }
            var name = node.name().name();
            var found = NodeFigures.of(families, node, machine.isManaged(), view.podsOn(name));
            figures.put(name, found);
            allocatable.add(machine.allocatable());
            requested.add(found.load().podRequests());
            var age = Duration.between(node.meta().createdAt(), now);
            common.add(
                    new GaugeSample(
                            families.currentLifetime(), age.toMillis() / 1e3, found.labels()));
        }
        common.addAll(utilization(Resources.sum(allocatable), Resources.sum(requested)));
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Gauges(NAME, common));
        effects.addAll(changes(figures));
        return Step.of(effects).thenAgain(PERIOD);
    }

    private static List<GaugeSample> utilization(Resources allocatable, Resources requested) {
        var samples = new ArrayList<GaugeSample>();
        allocatable
                .amounts()
                .forEach(
                        (resource, amount) -> {
                            if (!amount.isZero()) {
                                var part =
                                        requested.amount(resource).toDouble() / amount.toDouble();
                                samples.add(
                                        new GaugeSample(
                                                Families.CLUSTER_UTILIZATION,
                                                PERCENT * part,
                                                List.of(Amounts.name(resource))));
                            }
                        });
        return samples;
    }

    private List<Effect> changes(Map<String, NodeFigures> figures) {
        var effects = new ArrayList<Effect>();
        told.keySet().stream()
                .filter(name -> !figures.containsKey(name))
                .forEach(name -> effects.add(new Effect.Gauges(owner(name), List.of())));
        figures.forEach(
                (name, found) -> {
                    if (!found.equals(told.get(name))) {
                        effects.add(
                                new Effect.Gauges(
                                        owner(name), found.samples(families.resources())));
                    }
                });
        told.clear();
        told.putAll(figures);
        return effects;
    }

    private static String owner(String node) {
        return NAME + "/" + node;
    }
}
