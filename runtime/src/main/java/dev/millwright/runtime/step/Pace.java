package dev.millwright.runtime.step;

import java.time.Duration;

/// How many keys a controller looks at at once, and how it slows down: per key after failures, and
/// over all keys by a bucket of tokens for tries that are repeated.
///
/// @param rest between the end of a look at a key and the next one: a look that is dear serves all
///   changes that came meanwhile
public record Pace(
        int atOnce,
        Duration backoffMin,
        Duration backoffMax,
        double perSecond,
        int burst,
        Duration rest) {

    /// What controllers do that say nothing else.
    public static Pace of(int atOnce) {
        return new Pace(
                atOnce, Duration.ofMillis(5), Duration.ofMinutes(1), 10, 100, Duration.ZERO);
    }

    public Pace withBackoff(Duration least, Duration most) {
        return new Pace(atOnce, least, most, perSecond, burst, rest);
    }

    public Pace withBucket(double rate, int most) {
        return new Pace(atOnce, backoffMin, backoffMax, rate, most, rest);
    }

    public Pace withRest(Duration between) {
        return new Pace(atOnce, backoffMin, backoffMax, perSecond, burst, between);
    }
}
