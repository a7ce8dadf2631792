package dev.millwright.controllers.nodepool;

import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

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

    /// The capacity of the pool's machines, with their number as `nodes`; machines that are going
    /// count nothing. Grows with claims and nodes, but only the pool's own are looked at closely.
    public static Resources of(View view, Marks marks, String pool) {
        var state = new ClusterState(marks);
        var sum = Resources.NONE;
        for (var claim : view.claims()) {
            var node = claim.providerId().isEmpty() ? null : node(view, claim);
            if (pool(claim, node).equals(pool)
                    && !claim.providerId().isEmpty()
                    && view.isManaged(claim.spec().nodeClassRef())
                    && !state.isMarkedForDeletion(node, claim)) {
                var known = node == null ? null : node.node();
                sum = sum.plus(counted(StateNode.of(known, claim.claim())));
            }
        }
        for (var node : view.nodes()) {
            if (node.meta().label(LabelKeys.NODE_POOL).equals(pool)
                    && !ClusterState.isIgnored(node)
                    && !hasClaim(view, node)
                    && !state.isMarkedForDeletion(node, null)) {
                sum = sum.plus(counted(StateNode.of(node.node(), null)));
            }
        }
        return sum;
    }

    private static Resources counted(StateNode machine) {
        return machine.capacity().with(Resources.NODES, Quantity.ONE);
    }

    /// A node that has registered speaks for its machine.
    private static String pool(ClaimObject claim, @Nullable NodeObject node) {
        return node != null && node.isRegistered()
                ? node.meta().label(LabelKeys.NODE_POOL)
                : claim.nodePool();
    }

    private static @Nullable NodeObject node(View view, ClaimObject claim) {
        for (var node : view.nodesOf(claim.providerId())) {
            if (!ClusterState.isIgnored(node)) {
                return node;
            }
        }
        return null;
    }

    private static boolean hasClaim(View view, NodeObject node) {
        return view.claimsOf(node.providerId()).stream()
                .anyMatch(claim -> view.isManaged(claim.spec().nodeClassRef()));
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
