package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What the nodes of a cluster cost by the hour, machines and fees of nodes apart, and the least of
/// both together that any fleet bought anew from the same pools could cost for the pods that run on
/// them, with the room of nodes that no pool bought.
///
/// Nodes whose price nobody knows are left out, and their pods with them; so are nodes on their
/// way, whose pods still wait. The price may be below the bound where nodes were bought of what is
/// no longer for sale.
public record FleetBound(double pricePerHour, double nodeFeesPerHour, double lowerBoundPerHour) {

    /// The part of price and fees that the bound does not explain; 0 of a fleet that costs nothing.
    public double gap() {
        var spend = pricePerHour + nodeFeesPerHour;
        return spend > 0 ? (spend - lowerBoundPerHour) / spend : 0;
    }

    /// Grows as a first-fit plan for all pods that run does.
    public static FleetBound of(SchedulingProblem problem) {
        var catalogues = new HashMap<String, Map<String, InstanceType>>();
        var price = 0.0;
        var fees = 0.0;
        var priced = new HashSet<String>();
        for (var node : problem.snapshot().nodes()) {
            var perHour = perHour(problem, catalogues, node);
            if (perHour != null) {
                price += perHour;
                fees += problem.nodeFeePerHour(node.labels().getOrDefault(LabelKeys.NODE_POOL, ""));
                priced.add(node.name());
            }
        }
        var pods = new ArrayList<Pod>();
        for (var pod : problem.snapshot().pods()) {
            var node = pod.state().nodeName();
            if (node != null && priced.contains(node)) {
                pods.add(pod);
            }
        }
        return new FleetBound(price, fees, leastPerHour(problem, pods));
    }

    /// The least that these pods could cost on nodes bought anew, beside the nodes that no pool
    /// bought, as full as they are. Those of daemons come with nodes, and those that end need none.
    public static double leastPerHour(SchedulingProblem problem, List<Pod> pods) {
        var waiting =
                pods.stream()
                        .filter(pod -> pod.state().isActive() && pod.state().isReschedulable())
                        .map(
                                pod ->
                                        pod.withState(
                                                PodState.WAITING.withOwners(pod.state().owners())))
                        .toList();
        if (waiting.isEmpty()) {
            return 0;
        }
        var nodes =
                problem.snapshot().nodes().stream()
                        .filter(node -> !node.isManaged() && !node.isMarkedForDeletion())
                        .toList();
        var names = nodes.stream().map(StateNode::name).collect(Collectors.toSet());
        var all = new ArrayList<Pod>(waiting);
        for (var pod : problem.snapshot().pods()) {
            var node = pod.state().nodeName();
            if (node != null && names.contains(node)) {
                all.add(pod);
            }
        }
        return Planner.leastPerHour(
                problem.withSnapshot(problem.snapshot().withNodes(nodes).withPods(all)));
    }

    private static @Nullable Double perHour(
            SchedulingProblem problem,
            Map<String, Map<String, InstanceType>> catalogues,
            StateNode node) {
        if (!node.isManaged() || node.node() == null) {
            return null;
        }
        var labels = node.labels();
        var type =
                catalogues
                        .computeIfAbsent(
                                labels.getOrDefault(LabelKeys.NODE_POOL, ""),
                                pool -> byName(problem, pool))
                        .get(labels.getOrDefault(LabelKeys.INSTANCE_TYPE, ""));
        if (type == null) {
            return null;
        }
        for (var offering : type.offerings()) {
            if (offering.zone().equals(labels.get(LabelKeys.ZONE))
                    && offering.capacityType().equals(labels.get(LabelKeys.CAPACITY_TYPE))) {
                return offering.pricePerHour();
            }
        }
        return null;
    }

    private static Map<String, InstanceType> byName(SchedulingProblem problem, String pool) {
        var byName = new HashMap<String, InstanceType>();
        problem.catalogs()
                .getOrDefault(pool, List.of())
                .forEach(type -> byName.putIfAbsent(type.name(), type));
        return byName;
    }
}
