package dev.millwright.core.disruption;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.Pod;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;

/// A node that nothing forbids to take away, with its price and what its pods' moving costs.
///
/// `nodeFeePerHour` is what the node costs beside its machine; the price does not contain it.
/// `cost` is never below one: also an empty node costs its drain. `type` is null when the pool no
/// longer knows it.
public record Candidate(
        Machine machine,
        PoolRules pool,
        @Nullable InstanceType type,
        double pricePerHour,
        double cost,
        double nodeFeePerHour) {

    /// What taking a node away costs besides its pods.
    public static final double COST_MIN = 1;

    /// Those first that save most for what they disturb.
    static final Comparator<Candidate> MOST_SAVED_FIRST =
            Comparator.comparingDouble(Candidate::savingsRatio)
                    .reversed()
                    .thenComparing(Candidate::name);

    static Candidate of(
            Machine machine, PoolRules pool, @Nullable InstanceType type, double nodeFeePerHour) {
        return new Candidate(
                machine, pool, type, price(machine, type), cost(machine), nodeFeePerHour);
    }

    /// Of the first offering the node could have been bought as, available or not; 0 when unknown.
    private static double price(Machine machine, @Nullable InstanceType type) {
        if (type == null) {
            return 0;
        }
        for (Offering offering : type.offerings()) {
            if (offering.zone().equals(machine.zone())
                    && offering.capacityType().equals(machine.capacityType())) {
                return offering.pricePerHour();
            }
        }
        return 0;
    }

    /// Over pods that would come back elsewhere; one that would rather go costs nothing.
    static double cost(Machine machine) {
        var cost = COST_MIN;
        for (var moved : machine.pods()) {
            if (moved.pod().state().isReschedulable()) {
                cost += Math.max(0, moved.cost());
            }
        }
        return cost;
    }

    public String name() {
        return machine.name();
    }

    public String nodePool() {
        return pool.name();
    }

    /// The price with the node's fee: what is no longer paid when it goes. Unknown with the price.
    public double spendPerHour() {
        return type == null ? 0 : pricePerHour + nodeFeePerHour;
    }

    public double savingsRatio() {
        return spendPerHour() / cost;
    }

    /// Whether no pod minds. A node whose pods all cost nothing to move is empty, too.
    public boolean isEmpty() {
        return cost <= COST_MIN;
    }

    /// The pods that would come back elsewhere.
    public List<Pod> reschedulablePods() {
        return machine.pods().stream()
                .map(Machine.MovedPod::pod)
                .filter(pod -> pod.state().isReschedulable())
                .toList();
    }
}
