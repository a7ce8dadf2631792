package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Validation.Cause;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Takes nodes away that hold no pod one would have to move.
public final class Emptiness {

    private Emptiness() {}

    public static Candidacy candidacy(DisruptionProblem problem) {
        return Candidacy.of(problem, DisruptionMethod.EMPTINESS.manner(), Emptiness::unwanted);
    }

    private static @Nullable KeepReason unwanted(Candidate candidate) {
        var standing = candidate.machine().standing();
        if (candidate.pool().pool().isStatic()) {
            return new KeepReason.StaticPool();
        }
        if (candidate.pool().consolidateAfter() == null) {
            return new KeepReason.ConsolidationOff(candidate.nodePool());
        }
        if (standing.virtualPods() > 0) {
            return new KeepReason.HeldForBuffer(standing.virtualPods());
        }
        if (!candidate.isEmpty()) {
            return new KeepReason.NotEmpty();
        }
        return standing.isConsolidatable() ? null : new KeepReason.NotConsolidatable();
    }

    /// One command for all that budgets let go, the dearest first.
    public static Decision decide(Candidacy candidacy, Allowances allowances) {
        var left = allowances;
        var kept = new TreeMap<>(candidacy.kept());
        var chosen = new ArrayList<Candidate>();
        for (var candidate :
                candidacy.candidates().stream().sorted(Candidate.MOST_SAVED_FIRST).toList()) {
            if (left.isLeft(candidate.nodePool())) {
                left = left.less(candidate.nodePool());
                chosen.add(candidate);
            } else {
                kept.put(candidate.name(), left.spent(candidate.nodePool()));
            }
        }
        return new Decision(
                DisruptionMethod.EMPTINESS,
                chosen.isEmpty() ? List.of() : List.of(command(chosen)),
                kept,
                candidacy.candidates().size(),
                left,
                chosen.size() < candidacy.candidates().size());
    }

    /// Looks at a command again after a while. Those that are not empty any more, or beyond the
    /// budgets of now, are dropped; the rest goes.
    public static Validation validate(DisruptionProblem problem, Command command) {
        var still = Validation.stillThere(command, candidacy(problem));
        if (still.isEmpty()) {
            return new Validation.Broken(Cause.CHURN, command.candidates().size());
        }
        var left = Allowances.of(problem, DisruptionMethod.EMPTINESS.reason());
        var valid = new ArrayList<Candidate>();
        for (var candidate : still) {
            if (left.isLeft(candidate.nodePool())) {
                left = left.less(candidate.nodePool());
                valid.add(candidate);
            }
        }
        return valid.isEmpty()
                ? new Validation.Broken(Cause.BUDGET, still.size())
                : new Validation.Holds(command.of(valid), still.size() - valid.size());
    }

    private static Command command(List<Candidate> chosen) {
        return new Command(DisruptionMethod.EMPTINESS, chosen, List.of(), List.of());
    }
}
