package dev.millwright.providers.aws.cache;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Values that are good for a while. May be asked from many threads.
///
/// What is full forgets what was put first: an answer asked for again costs a call, a cache without
/// a bound costs the process.
public final class TimedCache<K, V> {

    /// More entries than any fleet's classes, queries and profiles together.
    private static final int ENTRIES_MAX = 10_000;

    private record Entry<V>(V value, Instant until) {}

    private final InstantSource clock;
    private final Duration lifetime;
    private final SequencedMap<K, Entry<V>> entries = new LinkedHashMap<>();

    public TimedCache(InstantSource clock, Duration lifetime) {
        this.clock = clock;
        this.lifetime = lifetime;
    }

    /// Null when it was never put, or too long ago.
    public synchronized @Nullable V find(K key) {
        var entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (!clock.instant().isBefore(entry.until())) {
            entries.remove(key);
            return null;
        }
        return entry.value();
    }

    public void put(K key, V value) {
        put(key, value, lifetime);
    }

    public synchronized void put(K key, V value, Duration good) {
        entries.remove(key);
        entries.putLast(key, new Entry<>(value, clock.instant().plus(good)));
        if (entries.size() > ENTRIES_MAX) {
            sweep();
        }
        while (entries.size() > ENTRIES_MAX) {
            entries.pollFirstEntry();
        }
    }

    public synchronized void remove(K key) {
        entries.remove(key);
    }

    public synchronized void clear() {
        entries.clear();
    }

    /// Those still good, in the order they were put.
    public synchronized SequencedMap<K, V> all() {
        sweep();
        var all = new LinkedHashMap<K, V>();
        entries.forEach((key, entry) -> all.put(key, entry.value()));
        return Collections.unmodifiableSequencedMap(all);
    }

    /// Takes those away that are no longer good, and says which they were.
    public synchronized List<K> sweep() {
        var now = clock.instant();
        var gone = new ArrayList<K>();
        entries.forEach(
                (key, entry) -> {
                    if (!now.isBefore(entry.until())) {
                        gone.add(key);
                    }
                });
        gone.forEach(entries::remove);
        return Collections.unmodifiableList(gone);
    }
}
