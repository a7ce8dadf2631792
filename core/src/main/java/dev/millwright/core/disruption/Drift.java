package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Command.Replacement;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
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
        return Candidacy.of(problem, Method.DRIFT.manner(), Drift::unwanted);
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
        var isWithheld = false;
        for (var candidate :
                candidacy.candidates().stream().sorted(EMPTY_THEN_OLDEST_FIRST).toList()) {
            if (command != null) {
                kept.put(candidate.name(), new KeepReason.NotItsTurn());
            } else if (allowances.left(candidate.nodePool()) <= 0) {
                isWithheld = true;
                kept.put(candidate.name(), allowances.spent(candidate.nodePool()));
            } else {
                var outcome = simulation.without(List.of(candidate.name()));
                if (outcome.isEveryoneHoused()) {
                    allowances.take(candidate.nodePool());
                    command = command(Method.DRIFT, List.of(candidate), outcome);
                } else {
                    kept.put(candidate.name(), new KeepReason.PodsHomeless(outcome.homeless()));
                }
            }
        }
        return new Decision(
                Method.DRIFT,
                command == null ? List.of() : List.of(command),
                kept,
                candidacy.candidates().size(),
                allowances,
                isWithheld);
    }

    private static Command command(
            Method method, List<Candidate> candidates, Simulation.Outcome outcome) {
        return new Command(
                method,
                candidates,
                outcome.plan().claims().stream()
                        .<Replacement>map(Replacement.Planned::new)
                        .toList(),
                outcome.nominated());
    }
}
