package dev.millwright.core.disruption;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/// All that a decision about taking nodes away is made from.
///
/// What several methods ask about a machine is worked out once and kept; it is not for several
/// threads.
public final class DisruptionProblem {

    private final SchedulingProblem scheduling;
    private final List<Machine> machines;
    private final SequencedMap<String, PoolRules> pools;
    private final boolean isSpotToSpot;
    private final PastMoves past;
    private final DisruptionBudgets podBudgets;
    private final IdentityHashMap<Machine, Optional<KeepReason>> byPods = new IdentityHashMap<>();
    private final IdentityHashMap<Machine, Candidate> candidates = new IdentityHashMap<>();
    private final Map<String, Map<String, InstanceType>> typesByName = new HashMap<>();
    private @Nullable Simulation consolidation;
    private @Nullable Map<String, Integer> siblings;

    /// Nodes are taken away as if pods were packed Karpenter's way; a reservation that is gone is
    /// not waited for.
    ///
    /// @param scheduling what a plan for the cluster would be made from, pods of capacity buffers
    ///   included, with a catalogue of every pool that is this provider's
    /// @param machines all nodes of the cluster
    /// @param pools the provider's pools by name
    public DisruptionProblem(
            SchedulingProblem scheduling,
            List<Machine> machines,
            SequencedMap<String, PoolRules> pools,
            boolean isSpotToSpot) {
        this(scheduling, machines, pools, isSpotToSpot, PastMoves.NONE);
    }

    private DisruptionProblem(
            SchedulingProblem scheduling,
            List<Machine> machines,
            SequencedMap<String, PoolRules> pools,
            boolean isSpotToSpot,
            PastMoves past) {
        var policy = scheduling.policy().withPacking(Packing.FIRST_FIT);
        this.scheduling =
                scheduling.withPolicy(
                        policy.reservations() == Reservations.OFF
                                ? policy
                                : policy.withReservations(Reservations.FALLBACK));
        this.machines = List.copyOf(machines);
        this.pools = Collections.unmodifiableSequencedMap(new TreeMap<>(pools));
        this.isSpotToSpot = isSpotToSpot;
        this.past = past;
        this.podBudgets = new DisruptionBudgets(scheduling.snapshot().disruptionBudgets());
    }

    public SchedulingProblem scheduling() {
        return scheduling;
    }

    public List<Machine> machines() {
        return machines;
    }

    public SequencedMap<String, PoolRules> pools() {
        return pools;
    }

    public boolean isSpotToSpot() {
        return isSpotToSpot;
    }

    /// What was done before.
    public PastMoves past() {
        return past;
    }

    public DisruptionProblem withPast(PastMoves moves) {
        return new DisruptionProblem(scheduling, machines, pools, isSpotToSpot, moves);
    }

    public Instant now() {
        return scheduling.snapshot().takenAt();
    }

    /// Whether time alone may change the answer: budgets have hours, a guard ends, a nomination
    /// fades, or a sign of sickness is borne for a while.
    public boolean isTimed(RepairRules repair) {
        return pools.values().stream().anyMatch(PoolRules::isTimed)
                || machines.stream().anyMatch(machine -> machine.isTimed(repair));
    }

    DisruptionBudgets podBudgets() {
        return podBudgets;
    }

    List<InstanceType> types(String pool) {
        return scheduling.catalogs().getOrDefault(pool, List.of());
    }

    /// The pod that must not be disturbed, or null.
    @Nullable KeepReason blockedByPods(Machine machine) {
        return byPods.computeIfAbsent(
                        machine,
                        each ->
                                Optional.ofNullable(
                                        Candidacy.blockedByPods(
                                                each, podBudgets, this::movesByCopy, now())))
                .orElse(null);
    }

    /// A copy stands in for the only pod of a workload; of several, each is evicted by itself.
    private boolean movesByCopy(Pod pod) {
        if (!pod.wantsCopyFirst()) {
            return false;
        }
        var known = siblings;
        if (known == null) {
            known = new HashMap<>();
            for (var each : scheduling.snapshot().pods()) {
                if (each.wantsCopyFirst() && each.state().isActive()) {
                    known.merge(owner(each), 1, Integer::sum);
                }
            }
            siblings = known;
        }
        return known.getOrDefault(owner(pod), 0) == 1;
    }

    private static String owner(Pod pod) {
        var controller = pod.state().controller();
        return controller == null ? "" : controller.uid();
    }

    /// The machine as one that may go, with its price and cost.
    Candidate candidate(Machine machine, PoolRules pool) {
        return candidates.computeIfAbsent(
                machine,
                each ->
                        Candidate.of(
                                each,
                                pool,
                                typesByName(pool.name()).get(each.instanceType()),
                                scheduling.nodeFeePerHour(pool.name())));
    }

    /// What becomes of pods when nodes are consolidated.
    Simulation consolidation() {
        var known = consolidation;
        if (known == null) {
            known = new Simulation(scheduling.withSnapshot(Consolidation.withDestinations(this)));
            consolidation = known;
        }
        return known;
    }

    Map<String, InstanceType> typesByName(String pool) {
        return typesByName.computeIfAbsent(
                pool,
                name -> {
                    var byName = new HashMap<String, InstanceType>();
                    types(name).forEach(type -> byName.putIfAbsent(type.name(), type));
                    return byName;
                });
    }
}
