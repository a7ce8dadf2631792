package dev.millwright.testing.e2e;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Looks again and again until what it sees is right, for a bounded time. Here alone a test waits.
public final class Eventually {
    /// Long enough for two cores that others use too, and for a default budget, which lets two
    /// empty nodes go one after the other: each pass may wait a minute for a nomination to fade,
    /// and then 15 seconds more. A test that passes never waits so long.
    public static final Duration LIMIT = Duration.ofMinutes(4);

    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    /// A look by kubectl costs 50 ms of processor time. Tests that wait side by side would use up a
    /// processor by looking alone, so each looks for a fifth of its time at most.
    private static final int PAUSE_TIMES_LOOK = 4;

    private Eventually() {}

    /// The first value that is right. After [#LIMIT], an error with the last one that was not.
    public static <T> T see(String what, Supplier<T> look, Predicate<? super T> isRight) {
        return see(what, LIMIT, look, isRight);
    }

    public static <T> T see(
            String what, Duration limit, Supplier<T> look, Predicate<? super T> isRight) {
        var deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            var began = System.nanoTime();
            var seen = look.get();
            if (isRight.test(seen)) {
                return seen;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "%s: not within %s; last seen: %s".formatted(what, limit, seen));
            }
            pause(Duration.ofNanos(System.nanoTime() - began));
        }
    }

    private static void pause(Duration look) {
        var wanted = look.multipliedBy(PAUSE_TIMES_LOOK);
        try {
            Thread.sleep(
                    wanted.compareTo(PAUSE_MIN) < 0
                            ? PAUSE_MIN
                            : wanted.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : wanted);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", failure);
        }
    }
}
