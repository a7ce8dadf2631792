package dev.millwright.addons.helm;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.loop.Jobs;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/// Answers that many wait for and one question finds out: asked once at a time for a key, kept for
/// a while, and those who wait are rung when it is there.
final class SharedAnswers<K, A> implements AutoCloseable {

    /// @param atOnce questions under way at once
    /// @param keysMax answers that are kept; the one least lately asked for goes first
    record Bounds(int atOnce, int keysMax) {}

    private static final class Asked<A> {
        private @Nullable A answer;
        private Instant at = Instant.EPOCH;
        private boolean isStale;
        private final TreeSet<ObjectName> waiting = new TreeSet<>();
    }

    private final Jobs<K, A> jobs;
    private final Function<A, Duration> keptFor;
    private final InstantSource clock;
    private final Consumer<ObjectName> bell;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, Asked<A>> entries;

    /// @param keptFor how long an answer stays good; a failure's is short
    SharedAnswers(
            String name,
            Bounds bounds,
            Function<Throwable, A> onBug,
            Function<A, Duration> keptFor,
            InstantSource clock,
            Consumer<ObjectName> bell) {
        this.keptFor = keptFor;
        this.clock = clock;
        this.bell = bell;
        this.jobs =
                new Jobs<>(
                        name,
                        new Jobs.Bounds(bounds.atOnce(), 1),
                        String::valueOf,
                        onBug,
                        this::over);
        this.entries =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<K, Asked<A>> eldest) {
                        return size() > bounds.keysMax() && eldest.getValue().waiting.isEmpty();
                    }
                };
    }

    /// The answer, or null while it is being found out.
    @Nullable A ask(K key, ObjectName waiter, Jobs.Work<A> question) {
        lock.lock();
        try {
            var entry = entries.computeIfAbsent(key, _ -> new Asked<>());
            var answer = entry.answer;
            if (answer != null
                    && !entry.isStale
                    && entry.at.plus(keptFor.apply(answer)).isAfter(clock.instant())) {
                return answer;
            }
            entry.waiting.add(waiter);
            if (jobs.begin(key, question)) {
                entry.isStale = false;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// The key's answer is no longer good, also one that is on its way.
    void forget(K key) {
        lock.lock();
        try {
            var entry = entries.get(key);
            if (entry != null) {
                entry.isStale = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private void over(K key) {
        List<ObjectName> waiting;
        lock.lock();
        try {
            var answer = jobs.take(key);
            var entry = entries.computeIfAbsent(key, _ -> new Asked<>());
            if (answer != null) {
                entry.answer = answer;
                entry.at = clock.instant();
            }
            waiting = List.copyOf(entry.waiting);
            entry.waiting.clear();
        } finally {
            lock.unlock();
        }
        waiting.forEach(bell);
    }

    @Override
    public void close() {
        jobs.close();
    }
}
