package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.scheduling.LaunchChoice;
import dev.millwright.core.scheduling.PlannedClaim;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// Replaces a node that is no longer what its pool asks for, whatever the price: the one that
/// drifted first, but before it those without pods to move.
public final class Drift {

    private static final Comparator<Candidate> EMPTY_THEN_OLDEST_FIRST =
            Comparator.comparing((Candidate each) -> !each.reschedulablePods().isEmpty())
                    .thenComparing(Drift::driftedAt)
                    .thenComparing(Candidate::name);

    private Drift() {}

    public static Candidacy candidacy(DisruptionProblem problem) {
        return Candidacy.of(problem, DisruptionMethod.DRIFT.manner(), Drift::unwanted);
    }

    private static @Nullable KeepReason unwanted(Candidate candidate) {
        if (candidate.pool().pool().isStatic()) {
            return new KeepReason.StaticPool();
        }
        return candidate.machine().standing().driftedAt() == null
                ? new KeepReason.NotDrifted()
                : null;
    }

    private static Instant driftedAt(Candidate candidate) {
        var at = candidate.machine().standing().driftedAt();
        return at == null ? Instant.MAX : at;
    }

    /// One command at most. Candidates whose pods would find no place are passed over.
    public static Decision decide(
            DisruptionProblem problem, Candidacy candidacy, Allowances allowances) {
        var kept = new TreeMap<>(candidacy.kept());
        var simulation = new Simulation(problem.scheduling());
        Command command = null;
        var left = allowances;
        var isWithheld = false;
        for (var candidate :
                candidacy.candidates().stream().sorted(EMPTY_THEN_OLDEST_FIRST).toList()) {
            if (command != null) {
                kept.put(candidate.name(), new KeepReason.NotItsTurn());
            } else if (!left.isLeft(candidate.nodePool())) {
                isWithheld = true;
                kept.put(candidate.name(), left.spent(candidate.nodePool()));
            } else {
                var outcome = simulation.without(List.of(candidate.name()));
                var replacements = replacements(problem, candidate, outcome);
                if (!outcome.isEveryoneHoused()) {
                    kept.put(candidate.name(), new KeepReason.PodsHomeless(outcome.homeless()));
                } else if (replacements == null) {
                    kept.put(
                            candidate.name(),
                            new KeepReason.NoCheaperSpot(candidate.spendPerHour()));
                } else {
                    left = left.less(candidate.nodePool());
                    command =
                            new Command(
                                    DisruptionMethod.DRIFT,
                                    List.of(candidate),
                                    replacements,
                                    outcome.nominated());
                }
            }
        }
        return new Decision(
                DisruptionMethod.DRIFT,
                command == null ? List.of() : List.of(command),
                kept,
                candidacy.candidates().size(),
                left,
                isWithheld);
    }

    /// Null when the node would not become what it is to become: one that returns to spot is
    /// replaced by spot that costs less, and by nothing else. If that cannot be launched after all,
    /// the node stays.
    private static @Nullable List<Replacement> replacements(
            DisruptionProblem problem, Candidate candidate, Simulation.Outcome outcome) {
        var isReturning = candidate.machine().standing().isReturning();
        var replacements = new ArrayList<Replacement>();
        for (var claim : outcome.plan().claims()) {
            if (isReturning) {
                var spot =
                        LaunchChoice.of(
                                        claim,
                                        problem.typesByName(claim.nodePool()),
                                        problem.scheduling().policy().vocabulary())
                                .asSpot()
                                .below(candidate.spendPerHour());
                if (spot.isEmpty() || spot.unmetMinValues() != null) {
                    return null;
                }
                replacements.add(new Replacement.Planned(spot.claim()));
            } else {
                replacements.add(new Replacement.Planned(kept(problem, claim, candidate)));
            }
        }
        return replacements;
    }

    /// Bought as the node was where the pool keeps a mix, if it can be had so.
    private static PlannedClaim kept(
            DisruptionProblem problem, PlannedClaim claim, Candidate candidate) {
        var pool = problem.pools().get(claim.nodePool());
        if (pool == null || pool.mix() == null) {
            return claim;
        }
        var choice = Consolidation.choice(problem, claim, List.of(candidate));
        return choice.isEmpty() || choice.unmetMinValues() != null ? claim : choice.claim();
    }
}
