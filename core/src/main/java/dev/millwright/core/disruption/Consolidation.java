package dev.millwright.core.disruption;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Validation.Cause;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.LaunchChoice;
import dev.millwright.core.scheduling.PlannedClaim;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Whether a set of nodes can be taken away for less: their pods fit elsewhere, or one cheaper node
/// takes them.
final class Consolidation {

    /// A single spot node is replaced by a spot node only when so many cheaper types remain: then
    /// the new one is among them and is not replaced again at once.
    static final int SPOT_TYPES_MIN = LaunchChoice.SPOT_TYPES_MIN;

    /// A command, or why there is none.
    sealed interface Option {
        record Found(Command command) implements Option {}

        record None(KeepReason reason) implements Option {}
    }

    /// Steps for each pod when a cheaper packing is looked for.
    private static final long CHEAPEST_STEPS = 600;

    private final DisruptionProblem problem;
    private final Simulation simulation;
    private long effort;

    Consolidation(DisruptionProblem problem) {
        this.problem = problem;
        this.simulation = problem.consolidation();
    }

    /// Nodes where pods came or went a moment ago take none of those that are moved: they would not
    /// settle.
    static Snapshot withDestinations(DisruptionProblem problem) {
        var inside = new HashSet<String>();
        for (var machine : problem.machines()) {
            var pool = problem.pools().get(machine.nodePool());
            var after = pool == null ? null : pool.consolidateAfter();
            if (pool != null
                    && after != null
                    && after.isPositive()
                    && pool.pool().isOpenForPods()
                    && !machine.standing().isConsolidatable()) {
                inside.add(machine.name());
            }
        }
        var snapshot = problem.scheduling().snapshot();
        return inside.isEmpty()
                ? snapshot
                : snapshot.withNodes(
                        snapshot.nodes().stream()
                                .map(
                                        node ->
                                                node.isManaged() && inside.contains(node.name())
                                                        ? node.insideConsolidateAfter()
                                                        : node)
                                .toList());
    }

    /// Of pools whose nodes are looked at one by one.
    static Candidacy candidacy(DisruptionProblem problem) {
        return Candidacy.of(
                problem,
                DisruptionMethod.SINGLE_NODE.manner(),
                candidate ->
                        candidate.pool().horizon() == null
                                ? unwanted(candidate)
                                : new KeepReason.ConsolidatedOtherwise(candidate.nodePool()));
    }

    static @Nullable KeepReason unwanted(Candidate candidate) {
        var machine = candidate.machine();
        if (candidate.pool().pool().isStatic()) {
            return new KeepReason.StaticPool();
        }
        if (candidate.type() == null) {
            return new KeepReason.TypeUnknown(machine.instanceType());
        }
        if (machine.capacityType().isEmpty()) {
            return new KeepReason.LabelMissing(LabelKeys.CAPACITY_TYPE);
        }
        if (machine.zone().isEmpty()) {
            return new KeepReason.LabelMissing(LabelKeys.ZONE);
        }
        if (candidate.pool().consolidateAfter() == null) {
            return new KeepReason.ConsolidationOff(candidate.nodePool());
        }
        if (candidate.isEmpty()) {
            return new KeepReason.Empty();
        }
        if (candidate.pool().policy() == PoolRules.Consolidation.WHEN_EMPTY) {
            return new KeepReason.OnlyWhenEmpty(candidate.nodePool());
        }
        return machine.standing().isConsolidatable() ? null : new KeepReason.NotConsolidatable();
    }

    /// Steps taken so far, in nodes and pods looked at.
    long effort() {
        return effort;
    }

    Option consider(DisruptionMethod method, List<Candidate> candidates) {
        var outcome = simulated(candidates);
        if (!outcome.isEveryoneHoused()) {
            return new Option.None(new KeepReason.PodsUnmovable(outcome.homeless()));
        }
        var claims = outcome.plan().claims();
        if (claims.isEmpty()) {
            return new Option.Found(
                    new Command(method, candidates, List.of(), outcome.nominated()));
        }
        return claims.size() > 1
                ? new Option.None(new KeepReason.NeedsSeveralNodes(claims.size()))
                : replacement(method, candidates, outcome);
    }

    Simulation.Outcome simulated(List<Candidate> candidates) {
        return simulated(candidates, Packing.FIRST_FIT);
    }

    Simulation.Outcome simulated(List<Candidate> candidates, Packing packing) {
        look();
        effort += packing == Packing.FIRST_FIT ? 0 : CHEAPEST_STEPS * pods(candidates);
        return simulation.without(candidates.stream().map(Candidate::name).toList(), packing);
    }

    /// Counts steps that were taken elsewhere.
    void spend(long steps) {
        effort += steps;
    }

    private void look() {
        var snapshot = problem.scheduling().snapshot();
        effort += snapshot.nodes().size() + snapshot.pods().size();
    }

    private static long pods(List<Candidate> candidates) {
        return candidates.stream().mapToLong(each -> each.machine().pods().size()).sum();
    }

    /// Where the candidates' pods go when nobody packs them.
    Simulation.Outcome scattered(List<Candidate> candidates) {
        look();
        return simulation.scatteredWithout(candidates.stream().map(Candidate::name).toList());
    }

    Simulation simulation() {
        return simulation;
    }

    private Option replacement(
            DisruptionMethod method, List<Candidate> candidates, Simulation.Outcome outcome) {
        var claim = outcome.plan().claims().getFirst();
        var price = candidates.stream().mapToDouble(Candidate::spendPerHour).sum();
        var choice = choice(claim, candidates);
        var isAllSpot =
                candidates.stream()
                        .allMatch(
                                each ->
                                        each.machine()
                                                .capacityType()
                                                .equals(LabelKeys.CAPACITY_TYPE_SPOT));
        var isSpotToSpot = isAllSpot && choice.mayBe(LabelKeys.CAPACITY_TYPE_SPOT);
        if (isSpotToSpot && !problem.isSpotToSpot()) {
            return new Option.None(new KeepReason.SpotToSpotOff());
        }
        var cheaper = (isSpotToSpot ? choice.asSpot() : choice).below(price);
        var unmet = cheaper.unmetMinValues();
        if (unmet != null) {
            return new Option.None(new KeepReason.MinValuesBroken(unmet));
        }
        if (cheaper.isEmpty()) {
            return new Option.None(new KeepReason.NotCheaper(price));
        }
        if (isSpotToSpot && candidates.size() == 1) {
            if (cheaper.types().size() < SPOT_TYPES_MIN) {
                return new Option.None(new KeepReason.TooFewSpotTypes(cheaper.types().size()));
            }
            cheaper = cheaper.limited(Math.max(SPOT_TYPES_MIN, cheaper.typesForMinValues()));
        }
        if (candidates.size() > 1) {
            cheaper = withoutOwnTypes(cheaper, candidates);
            if (cheaper.isEmpty() || cheaper.unmetMinValues() != null) {
                return new Option.None(new KeepReason.NotCheaper(price));
            }
        }
        // A spot launch that fails must not become a dearer node of another kind.
        var isEither =
                cheaper.mayBe(LabelKeys.CAPACITY_TYPE_SPOT)
                        && cheaper.mayBe(LabelKeys.CAPACITY_TYPE_ON_DEMAND);
        var launched = isEither ? spotOr(cheaper) : cheaper;
        return new Option.Found(
                new Command(
                        method,
                        candidates,
                        List.of(new Replacement.Planned(launched.claim())),
                        outcome.nominated()));
    }

    /// Where no type can be had as spot, the claim keeps its choice: there is nothing to fall back
    /// from.
    static LaunchChoice spotOr(LaunchChoice choice) {
        var spot = choice.asSpot();
        return spot.isEmpty() ? choice : spot;
    }

    LaunchChoice choice(PlannedClaim claim, List<Candidate> going) {
        return choice(problem, claim, going);
    }

    /// What a claim may be launched as that stands in for nodes that go.
    static LaunchChoice choice(
            DisruptionProblem problem, PlannedClaim claim, List<Candidate> going) {
        var choice =
                LaunchChoice.of(
                        claim,
                        problem.typesByName(claim.nodePool()),
                        problem.scheduling().policy().vocabulary());
        var pool = problem.pools().get(claim.nodePool());
        return pool == null ? choice : pool.standIn(choice, going);
    }

    /// Of nodes A, A and B nothing is gained by a new B: that one could stay. Types go that are not
    /// cheaper than the cheapest node there is of a type among the options.
    static LaunchChoice withoutOwnTypes(LaunchChoice choice, List<Candidate> candidates) {
        Map<String, Double> cheapest = new HashMap<>();
        for (var candidate : candidates) {
            cheapest.merge(candidate.machine().instanceType(), candidate.spendPerHour(), Math::min);
        }
        var bound = Double.POSITIVE_INFINITY;
        for (var type : choice.types()) {
            bound = Math.min(bound, cheapest.getOrDefault(type.name(), bound));
        }
        return Double.isInfinite(bound) ? choice : choice.below(bound);
    }

    /// Looks at a command again after a while: it holds only as a whole.
    static Validation validate(DisruptionProblem problem, Command command) {
        var all = command.candidates().size();
        var still = Validation.stillThere(command, candidacy(problem));
        if (still.size() < all) {
            return new Validation.Broken(Cause.CHURN, all);
        }
        var left = Allowances.of(problem, command.method().reason());
        for (var candidate : still) {
            if (!left.isLeft(candidate.nodePool())) {
                return new Validation.Broken(Cause.BUDGET, all);
            }
            left = left.less(candidate.nodePool());
        }
        var consolidation = new Consolidation(problem);
        var outcome = consolidation.simulated(still);
        var claims = outcome.plan().claims();
        var isSame =
                outcome.isEveryoneHoused()
                        && claims.size() == command.replacements().size()
                        && (claims.isEmpty() || covers(claims.getFirst(), command));
        // Nothing that waits is lost when scheduling changes, so that none is counted as dropped.
        return isSame
                ? new Validation.Holds(command.of(still), 0)
                : new Validation.Broken(Cause.SCHEDULING, 0);
    }

    /// Whether the claim of now may be all that the command's may be.
    private static boolean covers(PlannedClaim claim, Command command) {
        var names = new HashSet<String>();
        claim.types().forEach(type -> names.add(type.name()));
        return command.replacements().stream()
                .allMatch(
                        replacement ->
                                replacement instanceof Replacement.Planned(var planned)
                                        && planned.types().stream()
                                                .allMatch(type -> names.contains(type.name())));
    }
}
