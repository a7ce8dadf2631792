package dev.millwright.controllers.step;

import java.time.Duration;

/// How many keys a controller looks at at once, and how it slows down: per key after failures, and
/// over all keys by a bucket of tokens for tries that are repeated.
public record Pace(
        int atOnce, Duration backoffMin, Duration backoffMax, double perSecond, int burst) {

    /// What controllers do that say nothing else.
    public static Pace of(int atOnce) {
        return new Pace(atOnce, Duration.ofMillis(5), Duration.ofMinutes(1), 10, 100);
    }

    public Pace withBackoff(Duration least, Duration most) {
        return new Pace(atOnce, least, most, perSecond, burst);
    }

    public Pace withBucket(double rate, int most) {
        return new Pace(atOnce, backoffMin, backoffMax, rate, most);
    }
}
