package dev.millwright.core.explain;

import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.explain.PoolExplanation.Verdict;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Says how a pool does: whether it is ready, what it can buy, which pods it refuses, whether its
/// nodes may go; and searches the smallest set of changes that mends the worst of it.
///
/// Everything is asked of the planner and of the ways to take nodes away, and a set of changes is
/// answered only when it was planned or decided with.
public final class PoolExplainer {

    private final SchedulingProblem scheduling;
    private final DisruptionProblem disruption;

    /// @param scheduling what a plan is made from
    /// @param disruption the same cluster, as nodes are taken away from it
    public PoolExplainer(SchedulingProblem scheduling, DisruptionProblem disruption) {
        this.scheduling = scheduling;
        this.disruption = disruption;
    }

    /// @param readiness what the pool's conditions say when it is not ready; may be empty
    /// @return null when the cluster has no such pool
    public @Nullable PoolExplanation explain(String name, String readiness) {
        for (var pool : scheduling.nodePools()) {
            if (pool.name().equals(name)) {
                return explain(pool, readiness);
            }
        }
        return null;
    }

    private PoolExplanation explain(NodePool pool, String readiness) {
        var purchase = new PoolPurchase(scheduling, pool);
        var refusals = new PoolRefusals(scheduling, pool.name());
        var departures = new PoolDepartures(disruption, pool.name());
        var findings = new ArrayList<>(standing(pool, readiness));
        findings.addAll(purchase.findings());
        findings.addAll(refusals.findings());
        findings.addAll(departures.findings());
        var verdict = verdict(pool, purchase, refusals, departures);
        var fix =
                switch (verdict) {
                    case NOT_READY ->
                            purchase.isFaulty() && !pool.isDeleting()
                                    ? purchase.fix()
                                    : new Fix.None(findings.getFirst().explain());
                    case BUYS_NOTHING -> purchase.fix();
                    case REFUSES_PODS -> refusals.fix();
                    case KEEPS_NODES -> departures.fix();
                    case WORKS -> null;
                };
        return new PoolExplanation(pool.name(), verdict, findings, fix);
    }

    private static List<PoolFinding> standing(NodePool pool, String readiness) {
        var findings = new ArrayList<PoolFinding>();
        if (pool.isDeleting()) {
            findings.add(new PoolFinding.Deleting());
        }
        if (!pool.isReady()) {
            findings.add(new PoolFinding.NotReady(readiness));
        }
        if (pool.replicas() != null) {
            findings.add(new PoolFinding.StaticPool(pool.replicas()));
        }
        return findings;
    }

    private static Verdict verdict(
            NodePool pool,
            PoolPurchase purchase,
            PoolRefusals refusals,
            PoolDepartures departures) {
        if (!pool.isReady() || pool.isDeleting() || purchase.isFaulty()) {
            return Verdict.NOT_READY;
        }
        if (!purchase.buys()) {
            return Verdict.BUYS_NOTHING;
        }
        if (!refusals.isEmpty()) {
            return Verdict.REFUSES_PODS;
        }
        return departures.isClosed() ? Verdict.KEEPS_NODES : Verdict.WORKS;
    }
}
