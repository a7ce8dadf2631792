package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Consolidation.Option;

import java.util.ArrayList;
import java.util.List;
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

    static Decision decide(
            DisruptionProblem problem,
            Candidacy candidacy,
            Allowances allowances,
            Set<String> unseen,
            long effortMax) {
        var kept = new TreeMap<>(candidacy.kept());
        var consolidation = new Consolidation(problem);
        var balance = Balance.of(problem, candidacy.candidates());
        var weighed = new ArrayList<Balance.Verdict>();
        var found = new ArrayList<Command>();
        var left = new TreeSet<String>();
        candidacy.candidates().forEach(each -> left.add(each.nodePool()));
        var isOutOfEffort = false;
        var isWithheld = false;
        for (var candidate : inTurns(candidacy.candidates(), unseen)) {
            if (!found.isEmpty()) {
                kept.put(candidate.name(), new KeepReason.NotItsTurn());
                continue;
            }
            if (consolidation.effort() >= effortMax) {
                isOutOfEffort = true;
                kept.put(candidate.name(), new KeepReason.NotReached());
                continue;
            }
            left.remove(candidate.nodePool());
            if (allowances.left(candidate.nodePool()) <= 0) {
                isWithheld = true;
                kept.put(candidate.name(), allowances.spent(candidate.nodePool()));
            } else if (!balance.isWorthALook(candidate)) {
                kept.put(candidate.name(), new KeepReason.NotWorthIt());
            } else {
                switch (consolidation.consider(Method.SINGLE_NODE, List.of(candidate))) {
                    case Option.None(var reason) -> kept.put(candidate.name(), reason);
                    case Option.Found(var command) -> {
                        var verdict = balance.weigh(command);
                        weighed.add(verdict);
                        if (verdict.isApproved()) {
                            found.add(command);
                        } else {
                            kept.put(candidate.name(), new KeepReason.NotWorthIt());
                        }
                    }
                }
            }
        }
        return new Decision(
                        Method.SINGLE_NODE,
                        found,
                        kept,
                        candidacy.candidates().size(),
                        allowances,
                        isWithheld)
                .weighed(weighed)
                .timedOut(isOutOfEffort, isOutOfEffort ? List.copyOf(left) : List.of());
    }

    /// The first of each pool, then the second of each, and so on.
    static List<Candidate> inTurns(List<Candidate> candidates, Set<String> unseen) {
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
