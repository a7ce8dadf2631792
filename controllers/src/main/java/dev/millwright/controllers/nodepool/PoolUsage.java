package dev.millwright.controllers.nodepool;

import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What pools have: the capacity of their machines, and their claims by how long those will stay.
public final class PoolUsage {

    private PoolUsage() {}

    /// A pool's claims. Those that are going, by the API server's word or a disruption's, are
    /// deleting; those a disruption has begun with are pending; the rest is active.
    public record Claims(long active, long pendingDisruption, long deleting) {

        private static final Claims NONE = new Claims(0, 0, 0);

        private Claims plus(Standing standing) {
            return switch (standing) {
                case ACTIVE -> new Claims(active + 1, pendingDisruption, deleting);
                case PENDING_DISRUPTION -> new Claims(active, pendingDisruption + 1, deleting);
                case DELETING -> new Claims(active, pendingDisruption, deleting + 1);
            };
        }
    }

    /// How long a claim will stay.
    public enum Standing {
        ACTIVE,
        PENDING_DISRUPTION,
        DELETING
    }

    /// The capacity of each pool's machines, with their number as `nodes`; machines that are going
    /// count nothing. A pool without machines is not in it. Grows with claims and nodes.
    public static SequencedMap<String, Resources> byPool(View view, Marks marks) {
        var sums = new TreeMap<String, Resources>();
        for (var machine : new ClusterState(marks).nodes(view)) {
            var pool = machine.labels().getOrDefault(LabelKeys.NODE_POOL, "");
            if (!machine.isMarkedForDeletion() && !pool.isEmpty()) {
                var capacity = machine.capacity().with(Resources.NODES, Quantity.ONE);
                sums.merge(pool, capacity, Resources::plus);
            }
        }
        return Collections.unmodifiableSequencedMap(sums);
    }

    public static Resources of(View view, Marks marks, String pool) {
        return byPool(view, marks).getOrDefault(pool, Resources.NONE);
    }

    public static Claims claims(View view, Marks marks, String pool) {
        var claims = Claims.NONE;
        for (var claim : view.claims()) {
            if (claim.nodePool().equals(pool)) {
                claims = claims.plus(standing(claim, marks));
            }
        }
        return claims;
    }

    public static Standing standing(ClaimObject claim, Marks marks) {
        if (claim.isDeleting() || marks.isMarked(claim.providerId())) {
            return Standing.DELETING;
        }
        return claim.conditions().isTrue(ClaimObject.DISRUPTION_REASON)
                ? Standing.PENDING_DISRUPTION
                : Standing.ACTIVE;
    }
}
