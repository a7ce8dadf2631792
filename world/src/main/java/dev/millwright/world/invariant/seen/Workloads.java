package dev.millwright.world.invariant.seen;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.happening.Happening;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// What makes pods, and how many it is asked for.
public final class Workloads {

    private static final int REPLICAS_DEFAULT = 1;

    /// How many pods a workload is to have; `before` is what it was asked for until `since`.
    public record Scale(int replicas, int before, Instant since) {

        /// The least it was asked for lately: whoever counts pods may not have heard of more.
        int leastSince(Instant moment) {
            return since.isAfter(moment) ? Math.min(replicas, before) : replicas;
        }
    }

    private final Map<Owner, Scale> scales = new HashMap<>();
    private final Map<ObjectName, Owner> replicaSets = new HashMap<>();

    void saw(Happening.Changed changed) {
        var kind = changed.type().kind();
        var isReplicaSet = changed.type().equals(ResourceType.REPLICA_SET);
        if (!isReplicaSet
                && !changed.type().equals(ResourceType.DEPLOYMENT)
                && !changed.type().equals(ResourceType.STATEFUL_SET)) {
            return;
        }
        var after = changed.after();
        var object = after == null ? changed.before() : after;
        if (object == null) {
            return;
        }
        var namespace = Paths.text(object, "metadata", "namespace");
        var name = new ObjectName(namespace, Paths.text(object, "metadata", "name"));
        var workload = new Owner(kind, name);
        if (after == null) {
            scales.remove(workload);
            replicaSets.remove(name);
            return;
        }
        if (isReplicaSet) {
            replicaSets.put(name, Owner.of(namespace, after));
        }
        var asked = Paths.number(after, "spec", "replicas");
        var replicas = asked == null ? REPLICAS_DEFAULT : Math.toIntExact(asked);
        var known = scales.get(workload);
        if (known == null || known.replicas() != replicas) {
            scales.put(
                    workload,
                    new Scale(replicas, known == null ? 0 : known.replicas(), changed.at()));
        }
    }

    /// Who answers for a pod in the end: the Deployment behind its ReplicaSet.
    public Owner of(SeenPod pod) {
        var owner = pod.owner();
        if (!owner.kind().equals("ReplicaSet")) {
            return owner;
        }
        var above = replicaSets.get(owner.name());
        return above == null || above.kind().isEmpty() ? owner : above;
    }

    /// How many pods the workload was at least asked for since then; null where nobody can say.
    public @Nullable Integer leastSince(Owner workload, Instant moment) {
        var scale = scales.get(workload);
        return scale == null ? null : scale.leastSince(moment);
    }

    public @Nullable Integer replicas(Owner workload) {
        var scale = scales.get(workload);
        return scale == null ? null : scale.replicas();
    }
}
