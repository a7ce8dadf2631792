package dev.millwright.world.cluster;

import dev.millwright.world.chance.Chance;

import java.time.Duration;

/// How long something takes: any time between the two.
public record Span(Duration least, Duration most) {

    public Span {
        if (least.isNegative() || most.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    "span from %s to %s must not be negative or run backwards"
                            .formatted(least, most));
        }
    }

    public static Span of(Duration always) {
        return new Span(always, always);
    }

    public static Span millis(long least, long most) {
        return new Span(Duration.ofMillis(least), Duration.ofMillis(most));
    }

    public static Span seconds(long least, long most) {
        return new Span(Duration.ofSeconds(least), Duration.ofSeconds(most));
    }

    public Duration draw(Chance chance) {
        return chance.between(least, most);
    }
}
