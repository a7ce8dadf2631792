package dev.millwright.controllers.provisioning;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/// The window in which triggers gather before a pass: it ends when nothing new came for a while, or
/// when it has lasted long enough.
public final class Batch {

    private final Duration idleMax;
    private final Duration lengthMax;
    private final Set<String> seen = new HashSet<>();
    private @Nullable Instant openedAt;
    private Instant lastNewAt = Instant.EPOCH;

    public Batch(Duration idleMax, Duration lengthMax) {
        this.idleMax = idleMax;
        this.lengthMax = lengthMax;
    }

    /// Something a pass should look at. What the window has seen already does not prolong it.
    public synchronized void trigger(String uid, Instant now) {
        if (openedAt == null) {
            openedAt = now;
            lastNewAt = now;
        }
        if (seen.add(uid)) {
            lastNewAt = now;
        }
    }

    /// How long to wait yet: nothing once the window has ended, null while there is none.
    public synchronized @Nullable Duration remaining(Instant now) {
        if (openedAt == null) {
            return null;
        }
        var byLength = openedAt.plus(lengthMax);
        var byIdleness = lastNewAt.plus(idleMax);
        var end = byLength.isBefore(byIdleness) ? byLength : byIdleness;
        return end.isAfter(now) ? Duration.between(now, end) : Duration.ZERO;
    }

    /// Begins anew: what comes from now on belongs to the next pass.
    public synchronized void close() {
        openedAt = null;
        seen.clear();
    }
}
