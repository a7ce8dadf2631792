package dev.millwright.core.forecast;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/// What happens when. What is booked for the same moment happens in the order it was booked.
final class Agenda {

    private record Entry(Instant at, long number, Runnable deed) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparing(Entry::at).thenComparingLong(Entry::number));
    private Instant now;
    private long booked;

    Agenda(Instant now) {
        this.now = now;
    }

    Instant now() {
        return now;
    }

    void at(Instant at, Runnable deed) {
        entries.add(new Entry(at.isBefore(now) ? now : at, booked++, deed));
    }

    /// The moment of what comes next, or null.
    @Nullable Instant nextAt() {
        var next = entries.peek();
        return next == null ? null : next.at();
    }

    /// Lets what comes next happen.
    void step() {
        var next = entries.poll();
        if (next != null) {
            now = next.at();
            next.deed().run();
        }
    }
}
