package dev.millwright.core.disruption;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// All that a decision about taking nodes away is made from.
///
/// `scheduling` is what a plan for the cluster would be made from, pods of capacity buffers
/// included, with a catalogue of every pool that is this provider's; `machines` are all of its
/// nodes; `pools` are the provider's pools by name.
public record DisruptionProblem(
        SchedulingProblem scheduling,
        List<Machine> machines,
        SequencedMap<String, PoolRules> pools,
        boolean isSpotToSpot) {

    /// Nodes are taken away as if pods were packed Karpenter's way; a reservation that is gone is
    /// not waited for.
    public DisruptionProblem {
        var policy = scheduling.policy().withPacking(Packing.FIRST_FIT);
        scheduling =
                scheduling.withPolicy(
                        policy.reservations() == Reservations.OFF
                                ? policy
                                : policy.withReservations(Reservations.FALLBACK));
        machines = List.copyOf(machines);
        pools = Collections.unmodifiableSequencedMap(new TreeMap<>(pools));
    }

    public Instant now() {
        return scheduling.snapshot().takenAt();
    }

    DisruptionBudgets podBudgets() {
        return new DisruptionBudgets(scheduling.snapshot().disruptionBudgets());
    }

    List<InstanceType> types(String pool) {
        return scheduling.catalogs().getOrDefault(pool, List.of());
    }
}
