package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// All that a plan is made from: the cluster, the pools, what each pool can buy, and the operator's
/// choices.
///
/// A pool that is not a key of `catalogs` has not been evaluated by its provider and is skipped.
/// `removed` are the names of nodes that are planned without: their pods look for another place,
/// yet unlike those of nodes that really go they keep off nodes inside consolidateAfter. Pods of
/// theirs that must not be disturbed stay where they are unless it `isForced`.
public record SchedulingProblem(
        Snapshot snapshot,
        List<NodePool> nodePools,
        SequencedMap<String, List<InstanceType>> catalogs,
        SchedulingPolicy policy,
        SequencedSet<String> removed,
        boolean isForced) {

    /// Of the cluster as it is.
    public SchedulingProblem(
            Snapshot snapshot,
            List<NodePool> nodePools,
            SequencedMap<String, List<InstanceType>> catalogs,
            SchedulingPolicy policy) {
        this(snapshot, nodePools, catalogs, policy, new TreeSet<>(), false);
    }

    public SchedulingProblem {
        nodePools = List.copyOf(nodePools);
        removed = Collections.unmodifiableSequencedSet(new TreeSet<>(removed));
        var copy = new TreeMap<String, List<InstanceType>>();
        catalogs.forEach((pool, types) -> copy.put(pool, List.copyOf(types)));
        catalogs = Collections.unmodifiableSequencedMap(copy);
    }

    /// What a node of the pool costs an hour beside its machine: as the pool says, else as the
    /// policy does.
    public double nodeFeePerHour(String pool) {
        for (var each : nodePools) {
            var own = each.name().equals(pool) ? each.nodeFeePerHour() : null;
            if (own != null) {
                return own;
            }
        }
        return policy.nodeFeePerHour();
    }

    /// The same where a node costs its machine alone.
    public SchedulingProblem withoutNodeFees() {
        return withNodePools(nodePools.stream().map(pool -> pool.withNodeFee(null)).toList())
                .withPolicy(policy.withNodeFee(0));
    }

    public SchedulingProblem withPolicy(SchedulingPolicy other) {
        return new SchedulingProblem(snapshot, nodePools, catalogs, other, removed, isForced);
    }

    public SchedulingProblem withSnapshot(Snapshot other) {
        return new SchedulingProblem(other, nodePools, catalogs, policy, removed, isForced);
    }

    public SchedulingProblem withNodePools(List<NodePool> others) {
        return new SchedulingProblem(snapshot, others, catalogs, policy, removed, isForced);
    }

    /// The same cluster as if these nodes were gone.
    public SchedulingProblem without(Collection<String> nodes) {
        return new SchedulingProblem(
                snapshot, nodePools, catalogs, policy, new TreeSet<>(nodes), isForced);
    }

    /// The same cluster, where all pods of nodes that are planned without leave.
    public SchedulingProblem withGuardedPods() {
        return new SchedulingProblem(snapshot, nodePools, catalogs, policy, removed, true);
    }
}
