package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.SchedulingPolicy.Packing;

import java.util.List;

/// What to do for the pods that wait: claims to make, nodes that take pods as they are, and for
/// every pod left a reason.
///
/// The lower bound is proven: no fleet of these pools that holds the pods placed here costs less
/// per hour, fees of nodes included, whichever pool each pod lands in, and with all the room of the
/// nodes that are there. The price is without fees. `poolsWithoutTypes` are those whose own
/// requirements leave nothing to buy.
public record Plan(
        List<PlannedClaim> claims,
        List<ExistingPlacement> existing,
        List<WaitingPod> waiting,
        double pricePerHour,
        double lowerBoundPerHour,
        Packing packing,
        List<String> poolsWithoutTypes) {

    private static final double ROUNDING = 1e-7;

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

    /// The same plan with what is proven of it. What rounding alone keeps below the price is the
    /// price.
    Plan withLowerBound(double perHour) {
        return new Plan(
                claims,
                existing,
                waiting,
                pricePerHour,
                perHour >= spendPerHour() * (1 - ROUNDING) ? spendPerHour() : Math.max(0, perHour),
                packing,
                poolsWithoutTypes);
    }

    /// Whether no fleet of these pools holds the same pods for less. True where nothing is bought.
    public boolean isOptimal() {
        return lowerBoundPerHour >= spendPerHour();
    }

    /// What the new nodes cost beside their machines.
    public double nodeFeesPerHour() {
        return claims.stream().mapToDouble(PlannedClaim::nodeFeePerHour).sum();
    }

    /// The price with the fees of the new nodes: what the cheapest fleet has least of.
    public double spendPerHour() {
        return pricePerHour + nodeFeesPerHour();
    }

    public Plan {
        claims = List.copyOf(claims);
        existing = List.copyOf(existing);
        waiting = List.copyOf(waiting);
        poolsWithoutTypes = List.copyOf(poolsWithoutTypes);
    }
}
