package dev.millwright.world.invariant;

import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Durations;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// No more nodes of a pool are disrupted at once, of our own will, than its budgets allow.
///
/// Nodes that fell ill or were deleted by others a moment ago are forgiven: the operator may not
/// have heard of them.
final class NodeBudgets implements Invariant {

    private record Changed(PoolObject before, Instant at) {}

    private final Court court;
    private final Map<String, Changed> changedPools = new HashMap<>();

    /// Since when claims are out of service for a reason that is not our will, by uid.
    private final Map<String, Instant> outSince = new HashMap<>();

    /// When machines began to end, by uid and pool, for as long as the operator may not know.
    private final Map<String, Departure> departures = new HashMap<>();

    private record Departure(String pool, Instant at) {}

    NodeBudgets(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "disruption-budget";
    }

    @Override
    public void saw(Sight sight) {
        switch (sight) {
            case Sight.OfPool(var at, _, var before, var after) -> {
                if (before != null && after != null) {
                    poolChanged(before, after, at);
                }
            }
            case Sight.OfNode(var at, _, _, var after) -> {
                var claim = after == null ? null : court.cluster().claimOf(after.providerId());
                if (claim != null) {
                    noteOutage(claim, at);
                }
            }
            case Sight.OfClaim(var at, var by, var before, var after) -> {
                if (after == null) {
                    outSince.remove(before == null ? "" : before.meta().uid());
                } else {
                    claimChanged(before, after, by, at);
                }
            }
            case Sight.OfPod _, Sight.OfBudget _, Sight.Of _ -> {}
        }
    }

    private void poolChanged(PoolObject before, PoolObject after, Instant at) {
        if (!before.disruption().equals(after.disruption())) {
            changedPools.put(after.name().name(), new Changed(before, at));
        }
    }

    private void claimChanged(
            @Nullable ClaimObject before, ClaimObject after, String by, Instant at) {
        noteOutage(after, at);
        if (isEnding(after) && (before == null || !isEnding(before))) {
            departures.put(after.meta().uid(), new Departure(after.nodePool(), at));
        }
        var reason = reason(after);
        if (reason != null && (before == null || reason(before) == null) && Sight.isOperator(by)) {
            check(after, reason, at);
        }
    }

    private static boolean isEnding(ClaimObject claim) {
        return claim.conditions().isTrue(ClaimObject.INSTANCE_TERMINATING);
    }

    private static @Nullable Reason reason(ClaimObject claim) {
        var condition = claim.conditions().find(ClaimObject.DISRUPTION_REASON);
        if (condition == null || !condition.isTrue()) {
            return null;
        }
        for (var reason : Reason.values()) {
            if (reason.text().equals(condition.reason())) {
                return reason;
            }
        }
        return null;
    }

    private void noteOutage(ClaimObject claim, Instant at) {
        if (isOut(claim) && reason(claim) == null) {
            outSince.putIfAbsent(claim.meta().uid(), at);
        } else {
            outSince.remove(claim.meta().uid());
        }
    }

    private boolean isOut(ClaimObject claim) {
        return claim.isDeleting()
                || court.cluster().nodesOf(claim.providerId()).stream()
                        .anyMatch(node -> !node.isReady() || node.isDeleting());
    }

    private boolean isInitialized(ClaimObject claim) {
        return court.cluster().nodesOf(claim.providerId()).stream()
                .anyMatch(node -> node.isInitialized());
    }

    private void check(ClaimObject disrupted, Reason reason, Instant at) {
        var pool = court.cluster().pool(disrupted.nodePool());
        var isRepaired = reason == Reason.UNHEALTHY;
        if (pool == null || (isRepaired && !isInitialized(disrupted))) {
            return; // Nothing runs yet on a node that never came up.
        }
        var since = at.minus(court.slack().viewLag());
        departures.values().removeIf(each -> each.at().isBefore(since));
        var nodes = 0;
        var disrupting = 0;
        for (var claim : court.cluster().claims()) {
            if (claim.nodePool().equals(disrupted.nodePool())
                    && !isEnding(claim)
                    && isInitialized(claim)) {
                nodes++;
                // Sick nodes do not take up the budget for their own repair.
                var isOut = isLongOut(claim, since) && (!isRepaired || claim.isDeleting());
                disrupting += reason(claim) != null || isOut ? 1 : 0;
            }
        }
        for (var departure : departures.values()) {
            nodes += departure.pool().equals(disrupted.nodePool()) ? 1 : 0;
        }
        var allowed = allowed(pool, nodes, reason, at);
        if (disrupting > allowed) {
            court.tell(
                    breach(
                            at,
                            "NodePool %s: claim %s is disrupted (%s), which makes %d of %d nodes; wanted at most %d"
                                    .formatted(
                                            pool.name().name(),
                                            disrupted.name().name(),
                                            reason.text(),
                                            disrupting,
                                            nodes,
                                            allowed)));
        }
    }

    private boolean isLongOut(ClaimObject claim, Instant since) {
        var out = outSince.get(claim.meta().uid());
        return out != null && out.isBefore(since);
    }

    /// The most that the budgets allowed since the operator may have looked.
    private int allowed(PoolObject pool, int nodes, Reason reason, Instant at) {
        var since = at.minus(court.slack().viewLag()).minus(court.slack().clockError());
        var until = at.plus(court.slack().clockError());
        var allowed =
                Math.max(
                        budgets(pool).allowed(nodes, reason, until),
                        budgets(pool).allowed(nodes, reason, since));
        var changed = changedPools.get(pool.name().name());
        return changed == null || changed.at().isBefore(since)
                ? allowed
                : Math.max(allowed, budgets(changed.before()).allowed(nodes, reason, since));
    }

    private static NodePoolBudgets budgets(PoolObject pool) {
        return new NodePoolBudgets(
                pool.disruption().budgets().stream()
                        .map(
                                each ->
                                        Budget.of(
                                                each.nodes(),
                                                each.reasons(),
                                                each.schedule(),
                                                Durations.read(each.duration())))
                        .toList());
    }
}
