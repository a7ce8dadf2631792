package dev.millwright.core.explain;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;

/// How much the nodes that are there lack for a pod.
final class Rooms {

    /// Nodes that come nearest; whether their labels and taints suit is not looked at here.
    private static final int NODES_MAX = 2;

    private record Lack(String node, Resources missing, double share) {}

    private Rooms() {}

    static List<Resources> missing(Snapshot snapshot, Pod pod) {
        var taken = new HashMap<String, Resources>();
        for (var each : snapshot.pods()) {
            var node = each.state().nodeName();
            if (node != null && each.state().isActive()) {
                taken.merge(node, each.requests(), Resources::plus);
            }
        }
        var lacks = new ArrayList<Lack>();
        for (var node : snapshot.nodes()) {
            if (!node.isMarkedForDeletion()) {
                var free =
                        node.allocatable().minus(taken.getOrDefault(node.name(), Resources.NONE));
                lacks.add(lack(node.name(), free, pod.requests()));
            }
        }
        return lacks.stream()
                .filter(lack -> lack.share() > 0 && lack.share() < Double.POSITIVE_INFINITY)
                .sorted(Comparator.comparingDouble(Lack::share).thenComparing(Lack::node))
                .limit(NODES_MAX)
                .map(Lack::missing)
                .toList();
    }

    private static Lack lack(String node, Resources free, Resources requests) {
        var missing = new TreeMap<String, Quantity>();
        var share = 0.0;
        for (var entry : requests.amounts().entrySet()) {
            var lack = entry.getValue().minus(free.amount(entry.getKey()));
            if (lack.compareTo(Quantity.ZERO) > 0) {
                if (lack.compareTo(entry.getValue()) > 0 || entry.getKey().equals(Resources.PODS)) {
                    return new Lack(node, Resources.NONE, Double.POSITIVE_INFINITY);
                }
                missing.put(entry.getKey(), lack);
                share += lack.toDouble() / entry.getValue().toDouble();
            }
        }
        return new Lack(node, new Resources(missing), share);
    }
}
