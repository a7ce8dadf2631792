package dev.millwright.cli.demo;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.FleetBound;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.PoolObject;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The least that the pods which run now could cost, on any fleet from scratch.
final class LeastPrice {

    private final SchedulingPolicy policy;
    private final List<InstanceType> types;

    LeastPrice(SchedulingPolicy policy, List<InstanceType> types) {
        this.policy = policy;
        this.types = List.copyOf(types);
    }

    double perHour(Stage stage) {
        var pods = new ArrayList<Pod>();
        for (var object : stage.pods().values()) {
            if (object.isActive() && !object.nodeName().isEmpty()) {
                pods.add(object.pod());
            }
        }
        var pools = stage.pools().values().stream().map(PoolObject::pool).toList();
        var catalogs = new TreeMap<String, List<InstanceType>>();
        pools.forEach(pool -> catalogs.put(pool.name(), types));
        return FleetBound.leastPerHour(
                new SchedulingProblem(snapshot(stage), pools, catalogs, policy), pods);
    }

    private static Snapshot snapshot(Stage stage) {
        var daemons =
                stage.daemonSets().values().stream()
                        .map(stage.reader()::daemonSet)
                        .map(Kept<DaemonSet>::value)
                        .toList();
        return new Snapshot(
                List.of(), List.of(), daemons, new TreeMap<>(), Storage.NONE, List.of(), List.of());
    }
}
