package dev.millwright.core.disruption;

import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.HashMap;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How many nodes of each pool may be disrupted for one reason, by the pools' budgets and by what
/// else people said about it. A value: who takes from it goes on with the next one.
///
/// `closed` has the pools that let no node go whatever their budgets say, each with the reason;
/// `taken` counts nodes that a decision took from a pool's allowance.
public record Allowances(
        Reason reason,
        SequencedMap<String, Allowance> byPool,
        SequencedMap<String, KeepReason> closed,
        SequencedMap<String, Integer> taken) {

    /// A pool's `nodes`, those of them that are `disrupting`, and how many its budgets let be so.
    public record Allowance(int nodes, int disrupting, int allowed) {

        private static final Allowance NONE = new Allowance(0, 0, 0);

        /// How many more may begin.
        public int left() {
            return Math.max(0, allowed - disrupting);
        }

        /// Whether the budgets keep all nodes, whatever goes on.
        public boolean isClosed() {
            return nodes > 0 && allowed == 0;
        }
    }

    public Allowances {
        byPool = Collections.unmodifiableSequencedMap(new TreeMap<>(byPool));
        closed = Collections.unmodifiableSequencedMap(new TreeMap<>(closed));
        taken = Collections.unmodifiableSequencedMap(new TreeMap<>(taken));
    }

    public static Allowances of(DisruptionProblem problem, Reason reason) {
        var nodes = new HashMap<String, Integer>();
        var disrupting = new HashMap<String, Integer>();
        for (var machine : problem.machines()) {
            if (machine.isCounted()) {
                nodes.merge(machine.nodePool(), 1, Integer::sum);
                if (machine.isDisrupting(reason)) {
                    disrupting.merge(machine.nodePool(), 1, Integer::sum);
                }
            }
        }
        var byPool = new TreeMap<String, Allowance>();
        var closed = new TreeMap<String, KeepReason>();
        for (var pool : problem.pools().values()) {
            var count = nodes.getOrDefault(pool.name(), 0);
            var why = pool.closed(reason, problem.now());
            if (why != null) {
                closed.put(pool.name(), why);
            }
            byPool.put(
                    pool.name(),
                    new Allowance(
                            count,
                            disrupting.getOrDefault(pool.name(), 0),
                            why == null
                                    ? pool.budgets().allowed(count, reason, problem.now())
                                    : 0));
        }
        return new Allowances(reason, byPool, closed, new TreeMap<>());
    }

    /// What is left of the pool's budget after those taken already.
    public int left(String pool) {
        return byPool.getOrDefault(pool, Allowance.NONE).left() - taken.getOrDefault(pool, 0);
    }

    boolean isLeft(String pool) {
        return left(pool) > 0;
    }

    /// What remains when one more node of the pool goes.
    Allowances less(String pool) {
        var more = new TreeMap<>(taken);
        more.merge(pool, 1, Integer::sum);
        return new Allowances(reason, byPool, closed, more);
    }

    /// Why no further node of the pool goes.
    KeepReason spent(String pool) {
        return closed.getOrDefault(pool, new KeepReason.PoolBudgetSpent(pool, reason));
    }

    /// Why the pool lets no node go, whatever its budgets say; null when they alone decide.
    public @Nullable KeepReason closed(String pool) {
        return closed.get(pool);
    }
}
