package dev.millwright.core.disruption;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Weighs what a consolidation saves against what it disturbs, each as a share of its pool. Only
/// pools of policy Balanced refuse.
public final class Balance {

    /// A move may disturb at most so many times the share that it saves.
    public static final int DISTURBANCE_MAX = 2;

    public static final double SCORE_MIN = 1.0 / DISTURBANCE_MAX;

    /// What a pool's nodes cost by the hour, and what moving all of their pods would.
    public record Totals(double pricePerHour, double cost) {}

    /// The shares of a move; both are 0 where the pool has nothing to compare with.
    public record Score(double savedShare, double disturbedShare) {

        /// Without savings none; without disturbance without end.
        public double value() {
            if (savedShare <= 0 || Double.isNaN(savedShare)) {
                return 0;
            }
            return disturbedShare <= 0 ? Double.POSITIVE_INFINITY : savedShare / disturbedShare;
        }

        public boolean isApproved() {
            return value() >= SCORE_MIN;
        }
    }

    /// A command's scores in the pools it takes nodes from; pools of other policies have none.
    public record Verdict(
            Command command, SequencedMap<String, Score> scores, boolean isApproved) {}

    private final Map<String, Totals> totals;

    Balance(Map<String, Totals> totals) {
        this.totals = Map.copyOf(totals);
    }

    static Balance of(DisruptionProblem problem, List<Candidate> candidates) {
        var prices = new HashMap<String, Double>();
        var costs = new HashMap<String, Double>();
        for (var machine : problem.machines()) {
            var pool = problem.pools().get(machine.nodePool());
            if (pool == null) {
                continue;
            }
            var candidate = problem.candidate(machine, pool);
            prices.merge(pool.name(), candidate.spendPerHour(), Double::sum);
            costs.merge(pool.name(), candidate.cost(), Double::sum);
        }
        var totals = new HashMap<String, Totals>();
        for (var candidate : candidates) {
            var pool = candidate.nodePool();
            totals.put(
                    pool,
                    new Totals(prices.getOrDefault(pool, 0.0), costs.getOrDefault(pool, 0.0)));
        }
        return new Balance(totals);
    }

    /// Whether even taking the node away for nothing would be enough; if not, there is no need to
    /// look for a place for its pods.
    boolean isWorthALook(Candidate candidate) {
        var pool = totals.get(candidate.nodePool());
        return candidate.pool().policy() != PoolRules.Consolidation.BALANCED
                || pool == null
                || pool.pricePerHour() <= 0
                || score(candidate.spendPerHour(), candidate.cost(), pool).isApproved();
    }

    Verdict weigh(Command command) {
        var byPool = new TreeMap<String, List<Candidate>>();
        for (var candidate : command.candidates()) {
            byPool.computeIfAbsent(candidate.nodePool(), _ -> new ArrayList<>()).add(candidate);
        }
        var price = price(command.candidates());
        var saved = command.savedPerHour();
        var scores = new TreeMap<String, Score>();
        byPool.forEach(
                (pool, candidates) -> {
                    if (candidates.getFirst().pool().policy() == PoolRules.Consolidation.BALANCED) {
                        var share = byPool.size() > 1 && price > 0 ? price(candidates) / price : 1;
                        var cost = candidates.stream().mapToDouble(Candidate::cost).sum();
                        scores.put(
                                pool,
                                score(
                                        saved * share,
                                        cost,
                                        totals.getOrDefault(pool, new Totals(0, 0))));
                    }
                });
        return new Verdict(command, scores, scores.values().stream().allMatch(Score::isApproved));
    }

    public static Score score(double savedPerHour, double cost, Totals pool) {
        return pool.pricePerHour() <= 0 || pool.cost() <= 0
                ? new Score(0, 0)
                : new Score(savedPerHour / pool.pricePerHour(), cost / pool.cost());
    }

    private static double price(List<Candidate> candidates) {
        return candidates.stream().mapToDouble(Candidate::spendPerHour).sum();
    }
}
