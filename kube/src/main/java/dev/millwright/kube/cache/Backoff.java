package dev.millwright.kube.cache;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Ever longer pauses, each a little different from its neighbours', so that clients cut off
/// together do not come back together.
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(800);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final RandomGenerator random;
    private Duration base = FIRST;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    void reset() {
        base = FIRST;
    }

    /// Between the base and its double, and never past the longest.
    Duration next() {
        var pause = base.plusMillis(random.nextLong(base.toMillis()));
        base = shorter(base.multipliedBy(2), LONGEST);
        return shorter(pause, LONGEST);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
