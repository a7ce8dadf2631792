package dev.millwright.runtime.log;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Thins out a phrase that is said over and over: within a second the first hundred lines are
/// written, then every hundredth. One owner at a time.
final class Sampling {

    private static final int FIRST_LINES = 100;
    private static final int THEN_EVERY = 100;
    private static final Duration SPAN = Duration.ofSeconds(1);

    /// Phrases are constants, so there are few; someone who makes them up must not fill the heap.
    private static final int PHRASES_MAX = 10_000;

    private final Map<Phrase, Window> windows = new HashMap<>();

    private record Phrase(LogLevel level, String message) {}

    private record Window(Instant end, long count) {}

    boolean isWritten(LogLevel level, String message, Instant now) {
        if (windows.size() >= PHRASES_MAX) {
            windows.clear();
        }
        var window =
                windows.merge(
                        new Phrase(level, message),
                        new Window(now.plus(SPAN), 1),
                        (open, fresh) ->
                                now.isBefore(open.end())
                                        ? new Window(open.end(), open.count() + 1)
                                        : fresh);
        var beyond = window.count() - FIRST_LINES;
        return beyond <= 0 || beyond % THEN_EVERY == 0;
    }
}
