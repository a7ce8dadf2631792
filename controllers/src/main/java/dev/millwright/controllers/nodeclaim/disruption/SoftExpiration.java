package dev.millwright.controllers.nodeclaim.disruption;

import dev.millwright.controllers.nodepool.DisruptionControls;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Whether a claim is as old as its pool wants claims to be. `left` is null when time alone does
/// not make it so.
///
/// It is replaced like one that drifted, within budgets and windows; `expireAfter` asks nobody.
record SoftExpiration(boolean isNow, @Nullable Duration left) {

    static SoftExpiration of(ClaimObject claim, PoolObject pool, Instant now) {
        var after = DisruptionControls.of(pool).expireSoftlyAfter();
        if (after == null) {
            return new SoftExpiration(false, null);
        }
        var left = Duration.between(now, claim.meta().createdAt().plus(after));
        return left.isPositive() ? new SoftExpiration(false, left) : new SoftExpiration(true, null);
    }
}
