package dev.millwright.world.scenario;

import dev.millwright.world.chance.Chance;

import java.time.Duration;

/// What a scenario makes its script from: a seed's chance, about how many pods, and how long.
public record Plot(Chance chance, int pods, Duration length) {

    /// Enough for every kind of trouble, and quick.
    public static final int PODS_SMALL = 40;

    public Plot {
        if (pods < 1) {
            throw new IllegalArgumentException("%d pods; wanted at least 1".formatted(pods));
        }
        if (!length.isPositive()) {
            throw new IllegalArgumentException("length %s; wanted some time".formatted(length));
        }
    }

    /// A moment somewhere in the play.
    Duration sometime() {
        return chance.between(Duration.ofMinutes(1), length);
    }

    Duration share(double share) {
        return Duration.ofMillis((long) (length.toMillis() * share));
    }

    /// So many of the pods, at least one.
    int podsShare(double share) {
        return Math.max(1, (int) Math.round(pods * share));
    }
}
