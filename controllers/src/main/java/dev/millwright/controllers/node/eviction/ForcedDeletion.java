package dev.millwright.controllers.node.eviction;

import dev.millwright.kube.object.PodObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Ends a pod in time for its node's deadline, whatever budgets and annotations say.
public final class ForcedDeletion {

    /// Never zero: that would take the object away while its containers still run.
    private static final long GRACE_SECONDS_MIN = 1;

    private ForcedDeletion() {}

    /// A live pod is due once its whole grace no longer fits before the deadline. A pod on its way
    /// out is due while it would stay beyond the deadline and a deletion can still make it go
    /// sooner.
    public static boolean isDue(PodObject pod, @Nullable Instant deadline, Instant now) {
        if (deadline == null) {
            return false;
        }
        var end = pod.meta().deletedAt();
        if (end != null) {
            return end.isAfter(deadline)
                    && end.isAfter(now.plusSeconds(graceSeconds(deadline, now)));
        }
        var grace = pod.graceSeconds();
        return grace != null
                && Duration.between(now, deadline).compareTo(Duration.ofSeconds(grace)) < 0;
    }

    static long graceSeconds(Instant deadline, Instant now) {
        return Math.max(GRACE_SECONDS_MIN, Duration.between(now, deadline).toSeconds());
    }
}
