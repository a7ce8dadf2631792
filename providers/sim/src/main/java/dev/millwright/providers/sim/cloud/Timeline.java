package dev.millwright.providers.sim.cloud;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/// What is to happen, in the order of time; what was scheduled first happens first at equal times.
final class Timeline {

    sealed interface Happening {

        record Join(String id) implements Happening {}

        record Notice(String id) implements Happening {}

        record Interrupt(String id) implements Happening {}

        record Crash(String id) implements Happening {}

        record Stop(String id) implements Happening {}

        /// Listings have heard that the machine is gone.
        record Forget(String id) implements Happening {}

        record Wave() implements Happening {}
    }

    record Entry(Instant at, long number, Happening happening) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparing(Entry::at).thenComparingLong(Entry::number));
    private long count;

    void add(Instant at, Happening happening) {
        entries.add(new Entry(at, count++, happening));
    }

    @Nullable Instant nextAt() {
        var head = entries.peek();
        return head == null ? null : head.at();
    }

    /// The next entry that is due, or null.
    @Nullable Entry poll(Instant now) {
        var head = entries.peek();
        return head == null || head.at().isAfter(now) ? null : entries.poll();
    }
}
