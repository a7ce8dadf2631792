package dev.millwright.providers.sim.cloud;

import java.time.Duration;
import java.util.SplittableRandom;

/// All chance of a simulated cloud, from one seed: the same calls at the same times give the same
/// answers.
///
/// Nothing is drawn for what never or always happens, so that a fault that is switched off leaves
/// the rest as it was.
final class Chance {

    /// Longest time drawn for something rare: a hundred years.
    private static final Duration RARE_MAX = Duration.ofDays(36_500);

    private static final double NANOS_PER_HOUR = 3.6e12;

    private final SplittableRandom random;

    Chance(long seed) {
        this.random = new SplittableRandom(seed);
    }

    boolean happens(double rate) {
        return rate > 0 && (rate >= 1 || random.nextDouble() < rate);
    }

    Duration draw(Delay delay) {
        return delay.least().equals(delay.most()) ? delay.least() : delay.at(random.nextDouble());
    }

    /// The time until something happens that happens so often an hour, on average. The rate must be
    /// above zero.
    Duration until(double perHour) {
        var hours = -Math.log(1 - random.nextDouble()) / perHour;
        return hours * NANOS_PER_HOUR >= RARE_MAX.toNanos()
                ? RARE_MAX
                : Duration.ofNanos((long) (hours * NANOS_PER_HOUR));
    }

    /// A number from 0 up to, not including, `count`.
    int index(int count) {
        return count <= 1 ? 0 : random.nextInt(count);
    }
}
