package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;

import java.util.List;

/// A NodeClaim to make. `types` are all that would do, cheapest first, at most 600; `pods` are in
/// the order they were placed.
///
/// `requests` are the pods' plus the least that daemons will take on any of the types.
/// `nodeFeePerHour` is what the node costs beside its machine; no price of a type contains it.
public record PlannedClaim(
        String nodePool,
        Requirements requirements,
        List<TypeOption> types,
        List<ObjectName> pods,
        Resources requests,
        List<String> reservationIds,
        boolean isMinValuesRelaxed,
        double nodeFeePerHour) {

    /// A node that costs no fee.
    public PlannedClaim(
            String nodePool,
            Requirements requirements,
            List<TypeOption> types,
            List<ObjectName> pods,
            Resources requests,
            List<String> reservationIds,
            boolean isMinValuesRelaxed) {
        this(nodePool, requirements, types, pods, requests, reservationIds, isMinValuesRelaxed, 0);
    }

    /// An instance type that fits, with its cheapest fitting offering.
    public record TypeOption(
            String name,
            String zone,
            String capacityType,
            double pricePerHour,
            Resources allocatable) {}

    public PlannedClaim {
        types = List.copyOf(types);
        pods = List.copyOf(pods);
        reservationIds = List.copyOf(reservationIds);
    }

    public TypeOption cheapest() {
        return types.getFirst();
    }

    public double pricePerHour() {
        return types.getFirst().pricePerHour();
    }

    /// The price with the fee of the node.
    public double spendPerHour() {
        return pricePerHour() + nodeFeePerHour;
    }
}
