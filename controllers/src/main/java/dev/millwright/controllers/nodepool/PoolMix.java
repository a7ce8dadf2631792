package dev.millwright.controllers.nodepool;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.CapacityMix.Counts;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

/// What a pool says about on-demand and spot, and what it has.
public final class PoolMix {

    private PoolMix() {}

    /// Null when the pool does not say.
    public static @Nullable CapacityMix of(PoolObject pool) {
        return CapacityMix.of(pool.meta().annotations()).mix();
    }

    /// The pool's claims by what they are or are to be; those that are going count nothing. Grows
    /// with all claims.
    public static Counts counts(View view, String pool) {
        var counts = Counts.NONE;
        for (var claim : view.claims()) {
            if (claim.nodePool().equals(pool) && !claim.isDeleting()) {
                counts = counts.and(capacityType(claim));
            }
        }
        return counts;
    }

    /// A claim that is not launched yet and may be either counts as neither.
    private static String capacityType(ClaimObject claim) {
        var label = claim.meta().label(LabelKeys.CAPACITY_TYPE);
        if (!label.isEmpty()) {
            return label;
        }
        return claim.spec().requirements().stream()
                .filter(wish -> wish.key().equals(LabelKeys.CAPACITY_TYPE))
                .filter(wish -> wish.operator() == Operator.IN && wish.values().size() == 1)
                .map(wish -> wish.values().getFirst())
                .findFirst()
                .orElse("");
    }
}
