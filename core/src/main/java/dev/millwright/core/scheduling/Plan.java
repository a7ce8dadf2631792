package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.SchedulingPolicy.Packing;

import java.util.List;

/// What to do for the pods that wait: claims to make, nodes that take pods as they are, and for
/// every pod left a reason.
///
/// The lower bound is proven: no plan that puts the same pods on new nodes of the same pools can
/// cost less per hour. `poolsWithoutTypes` are those whose own requirements leave nothing to buy.
public record Plan(
        List<PlannedClaim> claims,
        List<ExistingPlacement> existing,
        List<WaitingPod> waiting,
        double pricePerHour,
        double lowerBoundPerHour,
        Packing packing,
        List<String> poolsWithoutTypes) {

    /// Of a plan that says nothing about pools.
    public Plan(
            List<PlannedClaim> claims,
            List<ExistingPlacement> existing,
            List<WaitingPod> waiting,
            double pricePerHour,
            double lowerBoundPerHour,
            Packing packing) {
        this(claims, existing, waiting, pricePerHour, lowerBoundPerHour, packing, List.of());
    }

    /// Pods that fit a node which is there or on its way, in the order they were placed.
    public record ExistingPlacement(String node, List<ObjectName> pods) {
        public ExistingPlacement {
            pods = List.copyOf(pods);
        }
    }

    public record WaitingPod(ObjectName pod, WaitReason reason) {}

    public Plan {
        claims = List.copyOf(claims);
        existing = List.copyOf(existing);
        waiting = List.copyOf(waiting);
        poolsWithoutTypes = List.copyOf(poolsWithoutTypes);
    }
}
