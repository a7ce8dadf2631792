package dev.millwright.providers.sim.cloud;

import dev.millwright.providers.sim.cloud.SimSettings.Throttle;

import java.time.Duration;
import java.time.Instant;

/// Lets so many calls through. Full at first.
final class TokenBucket {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Throttle throttle;
    private double tokens;
    private Instant filledAt;

    TokenBucket(Throttle throttle, Instant start) {
        this.throttle = throttle;
        this.tokens = throttle.burst();
        this.filledAt = start;
    }

    boolean take(Instant now) {
        if (now.isAfter(filledAt)) {
            var seconds = Duration.between(filledAt, now).toNanos() / NANOS_PER_SECOND;
            tokens = Math.min(throttle.burst(), tokens + seconds * throttle.perSecond());
            filledAt = now;
        }
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
