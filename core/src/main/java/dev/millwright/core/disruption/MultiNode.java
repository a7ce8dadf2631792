package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Consolidation.Option;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Takes several nodes away at once, for none or for one that is cheaper than all of them: the most
/// of those that save most for what they disturb.
public final class MultiNode {

    /// The last node of the window: it is one more than a hundred, as in Karpenter.
    private static final int LAST_INDEX_MAX = 100;

    /// Steps of one search, in nodes and pods looked at. Steps are counted, not timed, so that a
    /// plan is the same on every machine.
    static final long EFFORT_MAX = 50_000_000L;

    private MultiNode() {}

    public static Candidacy candidacy(DisruptionProblem problem) {
        return Consolidation.candidacy(problem);
    }

    public static Decision decide(
            DisruptionProblem problem, Candidacy candidacy, Allowances allowances) {
        return decide(problem, candidacy, allowances, EFFORT_MAX);
    }

    static Decision decide(
            DisruptionProblem problem, Candidacy candidacy, Allowances allowances, long effortMax) {
        var left = allowances;
        var kept = new TreeMap<>(candidacy.kept());
        var allowed = new ArrayList<Candidate>();
        for (var candidate :
                candidacy.candidates().stream().sorted(Candidate.MOST_SAVED_FIRST).toList()) {
            if (left.isLeft(candidate.nodePool())) {
                left = left.less(candidate.nodePool());
                allowed.add(candidate);
            } else {
                kept.put(candidate.name(), left.spent(candidate.nodePool()));
            }
        }
        var search =
                new Search(
                        problem, Balance.of(problem, candidacy.candidates()), allowed, effortMax);
        search.run();
        var found = search.found;
        return new Decision(
                        DisruptionMethod.MULTI_NODE,
                        found == null ? List.of() : List.of(found.command()),
                        kept,
                        candidacy.candidates().size(),
                        left,
                        allowed.size() < candidacy.candidates().size())
                .weighed(search.told())
                .timedOut(search.isOutOfEffort, List.of());
    }

    /// Halves the window: where a prefix can be consolidated a longer one is tried, else a shorter.
    private static final class Search {
        private final List<Candidate> candidates;
        private final Consolidation consolidation;
        private final Balance balance;
        private final long effortMax;
        private Balance.@Nullable Verdict found;
        private Balance.@Nullable Verdict refused;
        private boolean isOutOfEffort;

        Search(
                DisruptionProblem problem,
                Balance balance,
                List<Candidate> candidates,
                long effortMax) {
            this.candidates = candidates;
            this.consolidation = new Consolidation(problem);
            this.balance = balance;
            this.effortMax = effortMax;
        }

        void run() {
            var least = 1;
            var most = Math.min(candidates.size() - 1, LAST_INDEX_MAX);
            while (least <= most) {
                if (consolidation.effort() >= effortMax) {
                    isOutOfEffort = true;
                    return;
                }
                var middle = (least + most) / 2;
                if (isFound(candidates.subList(0, middle + 1))) {
                    least = middle + 1;
                } else {
                    most = middle - 1;
                }
            }
        }

        private boolean isFound(List<Candidate> prefix) {
            if (!(consolidation.consider(DisruptionMethod.MULTI_NODE, prefix)
                    instanceof Option.Found(var command))) {
                return false;
            }
            var verdict = balance.weigh(command);
            if (verdict.isApproved()) {
                found = verdict;
            } else {
                refused = verdict;
            }
            return verdict.isApproved();
        }

        /// One a search: the command that was chosen, or the last that was refused.
        List<Balance.Verdict> told() {
            if (found != null) {
                return List.of(found);
            }
            return refused == null ? List.of() : List.of(refused);
        }
    }
}
