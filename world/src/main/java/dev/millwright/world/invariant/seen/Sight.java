package dev.millwright.world.invariant.seen;

import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.world.happening.Happening;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A happening with its object read, once for all who judge it. A thing that came has no before,
/// one that went no after.
public sealed interface Sight {

    Instant at();

    record OfPod(Instant at, String by, @Nullable SeenPod before, @Nullable SeenPod after)
            implements Sight {

        /// Whether the pod was put on its way out by this: marked for deletion, or gone at once.
        public boolean isRemoval() {
            return before != null && before.isActive() && (after == null || after.isDeleting());
        }
    }

    record OfNode(Instant at, String by, @Nullable NodeObject before, @Nullable NodeObject after)
            implements Sight {}

    record OfClaim(Instant at, String by, @Nullable ClaimObject before, @Nullable ClaimObject after)
            implements Sight {}

    record OfPool(Instant at, String by, @Nullable PoolObject before, @Nullable PoolObject after)
            implements Sight {}

    record OfBudget(
            Instant at,
            String by,
            @Nullable Kept<DisruptionBudget> before,
            @Nullable Kept<DisruptionBudget> after)
            implements Sight {}

    /// Everything else, and objects nobody here reads.
    record Of(Happening happening) implements Sight {
        @Override
        public Instant at() {
            return happening.at();
        }
    }

    /// A part of the operator goes by its replica and the controller: `a/provisioner`.
    static boolean isOperator(String by) {
        return by.indexOf('/') > 0;
    }
}
