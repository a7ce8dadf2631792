package dev.millwright.world.invariant;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Things that are in a state they must leave within a bound.
final class Patience<K extends Comparable<K>> {

    record Waiting<K>(K key, Instant since) {}

    private final Duration bound;
    private final Map<K, Instant> sinceByKey = new HashMap<>();
    private final TreeSet<Waiting<K>> order =
            new TreeSet<>(
                    Comparator.comparing((Waiting<K> each) -> each.since())
                            .thenComparing(Waiting::key));

    Patience(Duration bound) {
        this.bound = bound;
    }

    Duration bound() {
        return bound;
    }

    /// The state was entered; nothing, if the key is in it already.
    void begin(K key, Instant at) {
        if (sinceByKey.putIfAbsent(key, at) == null) {
            order.add(new Waiting<>(key, at));
        }
    }

    void end(K key) {
        var since = sinceByKey.remove(key);
        if (since != null) {
            order.remove(new Waiting<>(key, since));
        }
    }

    void update(K key, boolean isWaiting, Instant at) {
        if (isWaiting) {
            begin(key, at);
        } else {
            end(key);
        }
    }

    /// Those that waited too long, counted from the last trouble. Each is told once.
    List<Waiting<K>> overdue(Instant now, Trouble trouble) {
        if (order.isEmpty() || !isOver(order.first().since(), now, trouble)) {
            return List.of();
        }
        var overdue = new ArrayList<Waiting<K>>();
        while (!order.isEmpty() && isOver(order.first().since(), now, trouble)) {
            overdue.add(order.pollFirst());
        }
        return overdue;
    }

    private boolean isOver(Instant since, Instant now, Trouble trouble) {
        return trouble.calmSince(since).plus(bound).isBefore(now);
    }
}
