package dev.millwright.world.time;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;

/// What is to happen in a world, in the order of time; at equal times, first booked is first done.
///
/// It is the world's only clock and its only loop: time stands still while something is done.
public final class Agenda implements InstantSource {

    /// Something that is to happen.
    @FunctionalInterface
    public interface Booking {
        /// It will not happen. Nothing, if it has.
        void cancel();
    }

    private static final class Entry implements Booking, Comparable<Entry> {
        private final Instant at;
        private final long number;
        private @Nullable Runnable act;

        private Entry(Instant at, long number, Runnable act) {
            this.at = at;
            this.number = number;
            this.act = act;
        }

        @Override
        public void cancel() {
            act = null;
        }

        @Override
        public int compareTo(Entry other) {
            var byTime = at.compareTo(other.at);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private Instant now;
    private long count;

    public Agenda(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /// A moment that has passed means now.
    public Booking at(Instant at, Runnable act) {
        var entry = new Entry(at.isBefore(now) ? now : at, count++, act);
        entries.add(entry);
        return entry;
    }

    public Booking after(Duration wait, Runnable act) {
        return at(now.plus(wait), act);
    }

    /// Does all that is due up to the end, which is now afterwards.
    public void runUntil(Instant end) {
        while (runNext(end)) {
            // The next is asked for by the condition.
        }
        if (now.isBefore(end)) {
            now = end;
        }
    }

    /// Does the next thing, unless it is due after the end. Returns whether there was one.
    public boolean runNext(Instant end) {
        dropCancelled();
        var next = entries.peek();
        if (next == null || next.at.isAfter(end)) {
            return false;
        }
        entries.poll();
        now = next.at;
        var act = next.act;
        if (act != null) {
            next.act = null;
            act.run();
        }
        return true;
    }

    /// When the next thing is due, or null when nothing is.
    public @Nullable Instant nextAt() {
        dropCancelled();
        var next = entries.peek();
        return next == null ? null : next.at;
    }

    private void dropCancelled() {
        while (!entries.isEmpty() && entries.peek().act == null) {
            entries.poll();
        }
    }
}
