package dev.millwright.providers.sim.cloud;

import java.time.Duration;

/// How long something takes. Half of the times lie between `least` and `usual`; the others thin out
/// towards `most`, as the tail of a real cloud does.
public record Delay(Duration least, Duration usual, Duration most) {

    public static final Delay NONE = new Delay(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public Delay {
        if (least.isNegative() || usual.compareTo(least) < 0 || most.compareTo(usual) < 0) {
            throw new IllegalArgumentException(
                    "delay %s, %s, %s: wanted least, usual and most in this order, none negative"
                            .formatted(least, usual, most));
        }
    }

    public static Delay always(Duration duration) {
        return new Delay(duration, duration, duration);
    }

    public static Delay ofMillis(long least, long usual, long most) {
        return new Delay(
                Duration.ofMillis(least), Duration.ofMillis(usual), Duration.ofMillis(most));
    }

    public static Delay ofSeconds(long least, long usual, long most) {
        return ofMillis(1_000 * least, 1_000 * usual, 1_000 * most);
    }

    /// The delay at a place in the order of all: 0 the least, a half the usual one, 1 the most.
    Duration at(double place) {
        if (place < 0.5) {
            return least.plus(share(usual.minus(least), 2 * place));
        }
        var beyond = 2 * place - 1;
        return usual.plus(share(most.minus(usual), beyond * beyond * beyond));
    }

    private static Duration share(Duration whole, double part) {
        return Duration.ofNanos((long) (whole.toNanos() * part));
    }
}
