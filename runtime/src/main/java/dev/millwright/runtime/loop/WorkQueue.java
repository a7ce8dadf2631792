package dev.millwright.runtime.loop;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The keys one controller is to look at: each at most once at a time, first come first served,
/// those that failed later and later.
///
/// It holds no clock and no lock: its owner brings the time and is the only one to touch it.
public final class WorkQueue {

    /// Doublings after which a back-off has certainly reached its bound.
    private static final int DOUBLINGS_MAX = 40;

    private record Appointment(Instant at, ObjectName key) {}

    private final Pace pace;
    private final LinkedHashSet<ObjectName> ready = new LinkedHashSet<>();
    private final Set<ObjectName> running = new HashSet<>();
    private final Set<ObjectName> changedWhileRunning = new HashSet<>();
    private final Map<ObjectName, Instant> appointments = new HashMap<>();
    private final TreeSet<Appointment> byTime =
            new TreeSet<>(Comparator.comparing(Appointment::at).thenComparing(Appointment::key));
    private final Map<ObjectName, Integer> failures = new HashMap<>();

    /// Until when a key rests after a look. Those whose rest is over go when they are taken, or
    /// with the next look that ends.
    private final LinkedHashMap<ObjectName, Instant> resting = new LinkedHashMap<>();

    private double tokens;
    private @Nullable Instant filledAt;

    public WorkQueue(Pace pace) {
        this.pace = pace;
        this.tokens = pace.burst();
    }

    /// Something about the key has changed. While it is being looked at, it is looked at once more
    /// afterwards.
    public void add(ObjectName key) {
        if (running.contains(key)) {
            changedWhileRunning.add(key);
        } else {
            ready.add(key);
        }
    }

    /// The sooner of two appointments counts.
    public void addAt(ObjectName key, Instant at) {
        var before = appointments.get(key);
        if (before != null && !at.isBefore(before)) {
            return;
        }
        if (before != null) {
            byTime.remove(new Appointment(before, key));
        }
        appointments.put(key, at);
        byTime.add(new Appointment(at, key));
    }

    /// Later after each failure in a row, and never more often over all keys than the bucket
    /// allows.
    public void retry(ObjectName key, Instant now) {
        var count = failures.merge(key, 1, Integer::sum);
        var wait = pace.backoffMin().multipliedBy(1L << Math.min(count - 1, DOUBLINGS_MAX));
        var bounded = wait.compareTo(pace.backoffMax()) > 0 ? pace.backoffMax() : wait;
        var byBucket = bucketWait(now);
        addAt(key, now.plus(bounded.compareTo(byBucket) > 0 ? bounded : byBucket));
    }

    private Duration bucketWait(Instant now) {
        if (filledAt != null && now.isAfter(filledAt)) {
            var seconds = Duration.between(filledAt, now).toNanos() / 1e9;
            tokens = Math.min(pace.burst(), tokens + seconds * pace.perSecond());
        }
        filledAt = now;
        tokens -= 1;
        return tokens >= 0
                ? Duration.ZERO
                : Duration.ofNanos((long) (-tokens / pace.perSecond() * 1e9));
    }

    /// The next key, or null when none is ready or enough are being looked at. It must be given
    /// back by [#settle].
    public @Nullable ObjectName take(Instant now) {
        while (!byTime.isEmpty() && !byTime.first().at().isAfter(now)) {
            var due = byTime.removeFirst();
            appointments.remove(due.key());
            add(due.key());
        }
        while (running.size() < pace.atOnce() && !ready.isEmpty()) {
            var key = ready.removeFirst();
            var until = resting.remove(key);
            if (until == null || !until.isAfter(now)) {
                running.add(key);
                return key;
            }
            resting.put(key, until);
            addAt(key, until);
        }
        return null;
    }

    /// Gives a key back that was looked at, to be taken again as its step ended.
    public void settle(ObjectName key, Ending ending, Instant now) {
        switch (ending) {
            case Ending.Done(), Ending.Stop() -> failures.remove(key);
            case Ending.Again(var after) -> {
                failures.remove(key);
                addAt(key, now.plus(after));
            }
            case Ending.Retry(), Ending.Failed(_) -> retry(key, now);
        }
        finished(key);
        rest(key, now);
    }

    private void rest(ObjectName key, Instant now) {
        if (pace.rest().isPositive()) {
            resting.values().removeIf(until -> !until.isAfter(now));
            resting.put(key, now.plus(pace.rest()));
        }
    }

    private void finished(ObjectName key) {
        running.remove(key);
        if (changedWhileRunning.remove(key)) {
            ready.add(key);
        }
    }

    /// When the next appointment is due, or null without any.
    public @Nullable Instant nextAt() {
        return byTime.isEmpty() ? null : byTime.first().at();
    }

    public boolean isIdle() {
        return ready.isEmpty() && running.isEmpty();
    }

    public int size() {
        return ready.size() + running.size() + appointments.size();
    }
}
