package dev.millwright.world.invariant;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// No launch takes a pool over its limits. What is on its way out counts no more, so that it can be
/// replaced; limits that were lowered meanwhile bind what is launched later.
final class PoolLimits implements Invariant {

    private static final Resources ONE_NODE = Resources.of(Resources.NODES, Quantity.ONE);

    private record Lowered(Resources before, Instant at) {}

    private final Court court;
    private final Map<String, Lowered> lowered = new HashMap<>();

    /// When a claim that was on its way out was let stay, by uid: those that were asked for before
    /// did not count it.
    private final Map<String, Instant> stayedAt = new HashMap<>();

    PoolLimits(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "pool-limit";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.OfPool(var at, _, var before, var after)) {
            poolChanged(before, after, at);
        } else if (sight instanceof Sight.OfClaim(var at, _, var before, var after)) {
            if (after == null) {
                if (before != null) {
                    stayedAt.remove(before.meta().uid());
                }
                return;
            }
            if (before != null && isLeaving(before) && !isLeaving(after)) {
                stayedAt.put(after.meta().uid(), at);
            }
            var isLaunch =
                    !after.status().capacity().isEmpty()
                            && (before == null || before.status().capacity().isEmpty());
            if (isLaunch && !after.isDeleting()) {
                launched(after, at);
            }
        }
    }

    private void poolChanged(@Nullable PoolObject before, @Nullable PoolObject after, Instant at) {
        if (before != null
                && after != null
                && !before.pool().limits().equals(after.pool().limits())) {
            lowered.put(after.name().name(), new Lowered(before.pool().limits(), at));
        } else if (after == null && before != null) {
            lowered.remove(before.name().name());
        }
    }

    private static boolean isLeaving(ClaimObject claim) {
        return claim.isDeleting() || claim.conditions().isTrue(ClaimObject.DISRUPTION_REASON);
    }

    private void launched(ClaimObject launched, Instant at) {
        var pool = court.cluster().pool(launched.nodePool());
        if (pool == null || pool.pool().isStatic()) {
            return;
        }
        var askedAt = launched.meta().createdAt().minus(court.slack().viewLag());
        var limits = limits(pool, askedAt);
        if (limits.isEmpty()) {
            return;
        }
        var used = Resources.NONE;
        for (var claim : court.cluster().claims()) {
            if (claim.nodePool().equals(launched.nodePool()) && counts(claim, askedAt)) {
                used = used.plus(claim.status().capacity()).plus(ONE_NODE);
            }
        }
        for (var limit : limits.amounts().entrySet()) {
            if (used.amount(limit.getKey()).compareTo(limit.getValue()) > 0) {
                tell(at, launched, limit, used);
            }
        }
    }

    /// The wider of the limits now and those that the claim may have been asked for under.
    private Resources limits(PoolObject pool, Instant askedAt) {
        var change = lowered.get(pool.name().name());
        var limits = pool.pool().limits();
        if (change == null || !change.at().isAfter(askedAt)) {
            return limits;
        }
        var wider = Resources.NONE;
        for (var limit : limits.amounts().entrySet()) {
            if (change.before().has(limit.getKey())) {
                var before = change.before().amount(limit.getKey());
                wider = wider.with(limit.getKey(), limit.getValue().max(before));
            }
        }
        return wider;
    }

    private boolean counts(ClaimObject claim, Instant askedAt) {
        var stayed = stayedAt.get(claim.meta().uid());
        return !isLeaving(claim) && (stayed == null || stayed.isBefore(askedAt));
    }

    private void tell(
            Instant at, ClaimObject claim, Map.Entry<String, Quantity> limit, Resources used) {
        court.tell(
                breach(
                        at,
                        "NodePool %s: claim %s takes it to %s %s; wanted at most %s"
                                .formatted(
                                        claim.nodePool(),
                                        claim.name().name(),
                                        Resources.render(
                                                limit.getKey(), used.amount(limit.getKey())),
                                        limit.getKey(),
                                        Resources.render(limit.getKey(), limit.getValue()))));
    }
}
