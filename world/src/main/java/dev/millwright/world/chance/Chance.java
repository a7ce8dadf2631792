package dev.millwright.world.chance;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// Chance from a seed. Each part of a world draws from a stream of its own, so that one that draws
/// more often leaves the others as they were.
///
/// Nothing is drawn for what never or always happens.
public final class Chance {

    /// Longest time drawn for something rare: a hundred years.
    private static final Duration RARE_MAX = Duration.ofDays(36_500);

    private static final double NANOS_PER_HOUR = 3.6e12;

    /// What the API server finishes names with: nothing that could spell a word.
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private final long seed;
    private final SplittableRandom random;

    private Chance(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    public static Chance of(long seed) {
        return new Chance(mixed(seed));
    }

    /// The same seed and the same name give the same draws.
    public Chance stream(String name) {
        var hash = seed;
        for (var i = 0; i < name.length(); i++) {
            hash = mixed(hash ^ name.charAt(i));
        }
        return new Chance(hash);
    }

    /// Neighbouring seeds must not have neighbouring streams.
    private static long mixed(long value) {
        var mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    public boolean happens(double rate) {
        return rate > 0 && (rate >= 1 || random.nextDouble() < rate);
    }

    /// A number from 0 up to, not including, `count`.
    public int index(int count) {
        return count <= 1 ? 0 : random.nextInt(count);
    }

    /// Both ends are possible.
    public int between(int least, int most) {
        return least + index(most - least + 1);
    }

    /// Both ends are possible.
    public Duration between(Duration least, Duration most) {
        var span = most.minus(least).toNanos();
        return span <= 0 ? least : least.plusNanos(random.nextLong(span + 1));
    }

    /// From 0 up to, not including, 1.
    public double share() {
        return random.nextDouble();
    }

    /// The time until something happens that happens so often an hour, on average. The rate must be
    /// above zero.
    public Duration until(double perHour) {
        var hours = -Math.log(1 - random.nextDouble()) / perHour;
        return hours * NANOS_PER_HOUR >= RARE_MAX.toNanos()
                ? RARE_MAX
                : Duration.ofNanos((long) (hours * NANOS_PER_HOUR));
    }

    public <T> T pick(List<T> from) {
        return from.get(index(from.size()));
    }

    /// The end of a generated name.
    public String letters(int count) {
        var text = new StringBuilder(count);
        for (var i = 0; i < count; i++) {
            text.append(LETTERS.charAt(index(LETTERS.length())));
        }
        return text.toString();
    }

    /// A number of 64 bits, for identifiers.
    public long bits() {
        return random.nextLong();
    }
}
