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

    private static final Duration PAUSE = Duration.ofMillis(100);

    private Eventually() {}

    /// The first value that is right. After [#LIMIT], an error with the last one that was not.
    public static <T> T see(String what, Supplier<T> look, Predicate<? super T> isRight) {
        return see(what, LIMIT, look, isRight);
    }

    public static <T> T see(
            String what, Duration limit, Supplier<T> look, Predicate<? super T> isRight) {
        var deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            var seen = look.get();
            if (isRight.test(seen)) {
                return seen;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "%s: not within %s; last seen: %s".formatted(what, limit, seen));
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", failure);
        }
    }
}
