package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// All that a plan is made from: the cluster, the pools, what each pool can buy, and the operator's
/// choices.
///
/// A pool that is not a key of `catalogs` has not been evaluated by its provider and is skipped.
public record SchedulingProblem(
        Snapshot snapshot,
        List<NodePool> nodePools,
        SequencedMap<String, List<InstanceType>> catalogs,
        SchedulingPolicy policy) {

    public SchedulingProblem {
        nodePools = List.copyOf(nodePools);
        var copy = new TreeMap<String, List<InstanceType>>();
        catalogs.forEach((pool, types) -> copy.put(pool, List.copyOf(types)));
        catalogs = Collections.unmodifiableSequencedMap(copy);
    }

    public SchedulingProblem withPolicy(SchedulingPolicy other) {
        return new SchedulingProblem(snapshot, nodePools, catalogs, other);
    }

    public SchedulingProblem withSnapshot(Snapshot other) {
        return new SchedulingProblem(other, nodePools, catalogs, policy);
    }
}
