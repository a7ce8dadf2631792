package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Consolidation.Option;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Takes one node away, for none or for a cheaper one. Pools take turns, so that a large one does
/// not keep the others waiting.
public final class SingleNode {

    /// Steps of one search, in nodes and pods looked at; see [MultiNode#EFFORT_MAX].
    static final long EFFORT_MAX = 150_000_000L;

    private SingleNode() {}

    public static Candidacy candidacy(DisruptionProblem problem) {
        return Consolidation.candidacy(problem);
    }

    /// `unseen` are the pools that the last search did not come to; they go first.
    public static Decision decide(
            DisruptionProblem problem,
            Candidacy candidacy,
            Allowances allowances,
            Set<String> unseen) {
        return decide(problem, candidacy, allowances, unseen, EFFORT_MAX);
    }

    /// Ends after about so many steps.
    public static Decision decide(
            DisruptionProblem problem,
            Candidacy candidacy,
            Allowances allowances,
            Set<String> unseen,
            long effortMax) {
        var search = new Search(problem, candidacy, allowances, effortMax);
        inTurns(candidacy.candidates(), unseen).forEach(search::look);
        return search.decision();
    }

    /// Looks at one candidate after another until a command is found.
    private static final class Search {
        private final Candidacy candidacy;
        private final Allowances allowances;
        private final long effortMax;
        private final Consolidation consolidation;
        private final Balance balance;
        private final SequencedMap<String, KeepReason> kept;
        private final List<Balance.Verdict> weighed = new ArrayList<>();
        private final List<Command> found = new ArrayList<>();
        private final TreeSet<String> poolsLeft = new TreeSet<>();
        private boolean isOutOfEffort;
        private boolean isWithheld;

        Search(
                DisruptionProblem problem,
                Candidacy candidacy,
                Allowances allowances,
                long effortMax) {
            this.candidacy = candidacy;
            this.allowances = allowances;
            this.effortMax = effortMax;
            this.consolidation = new Consolidation(problem);
            this.balance = Balance.of(problem, candidacy.candidates());
            this.kept = new TreeMap<>(candidacy.kept());
            candidacy.candidates().forEach(each -> poolsLeft.add(each.nodePool()));
        }

        void look(Candidate candidate) {
            if (!found.isEmpty()) {
                kept.put(candidate.name(), new KeepReason.NotItsTurn());
                return;
            }
            if (consolidation.effort() >= effortMax) {
                isOutOfEffort = true;
                kept.put(candidate.name(), new KeepReason.NotReached());
                return;
            }
            poolsLeft.remove(candidate.nodePool());
            var reason = refusal(candidate);
            if (reason != null) {
                kept.put(candidate.name(), reason);
            }
        }

        /// Why the candidate stays, or null when a command was found for it.
        private @Nullable KeepReason refusal(Candidate candidate) {
            if (allowances.left(candidate.nodePool()) <= 0) {
                isWithheld = true;
                return allowances.spent(candidate.nodePool());
            }
            if (!balance.isWorthALook(candidate)) {
                return new KeepReason.NotWorthIt();
            }
            return switch (consolidation.consider(
                    DisruptionMethod.SINGLE_NODE, List.of(candidate))) {
                case Option.None(var reason) -> reason;
                case Option.Found(var command) -> weighed(balance.weigh(command));
            };
        }

        private @Nullable KeepReason weighed(Balance.Verdict verdict) {
            weighed.add(verdict);
            if (!verdict.isApproved()) {
                return new KeepReason.NotWorthIt();
            }
            found.add(verdict.command());
            return null;
        }

        Decision decision() {
            return new Decision(
                            DisruptionMethod.SINGLE_NODE,
                            found,
                            kept,
                            candidacy.candidates().size(),
                            allowances,
                            isWithheld)
                    .weighed(weighed)
                    .timedOut(isOutOfEffort, isOutOfEffort ? List.copyOf(poolsLeft) : List.of());
        }
    }

    /// The first of each pool, then the second of each, and so on.
    public static List<Candidate> inTurns(List<Candidate> candidates, Set<String> unseen) {
        var byPool = new TreeMap<String, List<Candidate>>();
        for (var candidate : candidates) {
            byPool.computeIfAbsent(candidate.nodePool(), _ -> new ArrayList<>()).add(candidate);
        }
        byPool.values().forEach(each -> each.sort(Candidate.MOST_SAVED_FIRST));
        var order = new ArrayList<List<Candidate>>();
        byPool.forEach(
                (pool, each) -> {
                    if (unseen.contains(pool)) {
                        order.add(each);
                    }
                });
        byPool.forEach(
                (pool, each) -> {
                    if (!unseen.contains(pool)) {
                        order.add(each);
                    }
                });
        var turns = new ArrayList<Candidate>();
        for (var turn = 0; turns.size() < candidates.size(); turn++) {
            for (var each : order) {
                if (turn < each.size()) {
                    turns.add(each.get(turn));
                }
            }
        }
        return turns;
    }
}
