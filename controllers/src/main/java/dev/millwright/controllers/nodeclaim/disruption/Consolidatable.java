package dev.millwright.controllers.nodeclaim.disruption;

import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Whether a claim has been left alone long enough to be consolidated. `left` is null when time
/// alone does not make it so.
record Consolidatable(boolean isNow, @Nullable Duration left) {

    private static final Consolidatable NOW = new Consolidatable(true, null);
    private static final Consolidatable NEVER = new Consolidatable(false, null);

    static Consolidatable of(ClaimObject claim, PoolObject pool, Instant now) {
        var after = pool.disruption().consolidateAfter();
        var initialized = claim.conditions().find(ClaimObject.INITIALIZED);
        if (after == null || initialized == null || !initialized.isTrue()) {
            return NEVER;
        }
        var lastPodEventAt = claim.status().lastPodEventAt();
        var since = lastPodEventAt == null ? initialized.changedAt() : lastPodEventAt;
        var left = Duration.between(now, since.plus(after));
        return left.isPositive() ? new Consolidatable(false, left) : NOW;
    }
}
