package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Command.Terms;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.StaticCapacity.Counts;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Replaces nodes of static pools that are no longer what their pool asks for, one for one, as many
/// at once as budgets and the pool's limit allow.
final class StaticDrift {

    private StaticDrift() {}

    static Candidacy candidacy(DisruptionProblem problem) {
        return Candidacy.of(problem, DisruptionMethod.STATIC_DRIFT.manner(), StaticDrift::unwanted);
    }

    private static @Nullable KeepReason unwanted(Candidate candidate) {
        if (!candidate.pool().pool().isStatic()) {
            return new KeepReason.DynamicPool();
        }
        return candidate.machine().standing().driftedAt() == null
                ? new KeepReason.NotDrifted()
                : null;
    }

    /// One command for each node. `counts` are the claims of static pools.
    static Decision decide(
            Candidacy candidacy,
            Allowances allowances,
            Map<String, Counts> counts,
            DisruptionOptions options) {
        var left = allowances;
        var kept = new TreeMap<>(candidacy.kept());
        var commands = new ArrayList<Command>();
        var begun = new TreeMap<String, Long>();
        var isWithheld = false;
        for (var candidate : candidacy.candidates()) {
            var pool = candidate.nodePool();
            var counted = counts.getOrDefault(pool, new Counts(0, 0, 0, 0));
            var reason = refusal(candidate, counted, begun.getOrDefault(pool, 0L));
            var isFirst =
                    reason != null
                            && options.isDriftTerminateFirst()
                            && mayGoFirst(candidate, reason);
            if (reason == null || isFirst) {
                if (left.isLeft(pool)) {
                    left = left.less(pool);
                } else {
                    isWithheld = true;
                    isFirst = false;
                    reason = left.spent(pool);
                }
            }
            if (isFirst) {
                commands.add(
                        new Command(
                                DisruptionMethod.STATIC_DRIFT,
                                List.of(candidate),
                                List.of(),
                                List.of(),
                                Terms.TERMINATE_FIRST));
            } else if (reason == null) {
                begun.merge(pool, 1L, Long::sum);
                commands.add(
                        new Command(
                                DisruptionMethod.STATIC_DRIFT,
                                List.of(candidate),
                                List.of(new Replacement.Template(pool)),
                                List.of()));
            } else {
                kept.put(candidate.name(), reason);
            }
        }
        return new Decision(
                DisruptionMethod.STATIC_DRIFT,
                commands,
                kept,
                candidacy.candidates().size(),
                left,
                isWithheld);
    }

    /// Whether the node may go before its replacement comes: its pool has no room for both, and
    /// will fill the place.
    static boolean mayGoFirst(Candidate candidate, KeepReason refusal) {
        var pool = candidate.pool().pool();
        return refusal instanceof KeepReason.PoolAtNodeLimit
                && pool.isReady()
                && !pool.isDeleting();
    }

    static @Nullable KeepReason refusal(Candidate candidate, Counts counts, long begun) {
        var pool = candidate.pool().pool();
        var replicas = pool.replicas();
        var staying = counts.active() + counts.pendingDisruption();
        if (replicas != null && staying > replicas) {
            return new KeepReason.PoolOverscaled(pool.name(), staying, replicas);
        }
        if (!pool.limits().has(Resources.NODES)) {
            return null;
        }
        var nodesMax = pool.limits().amount(Resources.NODES).units();
        var nodes = staying + counts.deleting() + counts.reserved() + begun;
        return nodes >= nodesMax ? new KeepReason.PoolAtNodeLimit(pool.name(), nodesMax) : null;
    }
}
