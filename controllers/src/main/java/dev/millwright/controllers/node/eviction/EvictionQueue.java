package dev.millwright.controllers.node.eviction;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/// The pods that drains want gone, each by its name and uid, with the moment by which its node must
/// be empty. A restart forgets them; the next pass of the drain brings them back.
public final class EvictionQueue {

    /// More pods than a cluster may have. Beyond, drains come again until there is room.
    private static final int PODS_MAX = 200_000;

    /// `isDue` once the pod no longer has the time to end by itself before the deadline. `askedAt`
    /// is when its eviction was granted, of a pod that has not been seen to go yet; `copyAskedAt`
    /// is when a copy of it was asked for.
    public record Entry(
            @Nullable Instant deadline,
            boolean isDue,
            @Nullable Instant askedAt,
            @Nullable Instant copyAskedAt) {

        public Entry(@Nullable Instant deadline, boolean isDue) {
            this(deadline, isDue, null, null);
        }

        /// Both at once: the earlier deadline counts.
        Entry and(Entry other) {
            return new Entry(
                    earlier(deadline, other.deadline),
                    isDue || other.isDue,
                    askedAt == null ? other.askedAt : askedAt,
                    copyAskedAt == null ? other.copyAskedAt : copyAskedAt);
        }

        Entry askedAt(Instant moment) {
            return new Entry(deadline, isDue, moment, copyAskedAt);
        }

        Entry copyAskedAt(Instant moment) {
            return new Entry(deadline, isDue, askedAt, moment);
        }

        private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.isBefore(other) ? one : other;
        }
    }

    private final ConcurrentHashMap<ObjectName, Map<String, Entry>> pods =
            new ConcurrentHashMap<>();

    /// Whether the entry would change anything, so that the pod is worth a look right away.
    public boolean isNews(ObjectName pod, String uid, Entry entry) {
        var before = find(pod, uid);
        return before == null || !before.and(entry).equals(before);
    }

    public void add(ObjectName pod, String uid, Entry entry) {
        if (pods.size() >= PODS_MAX && !pods.containsKey(pod)) {
            return;
        }
        pods.compute(
                pod,
                (_, known) -> {
                    var all = known == null ? new TreeMap<String, Entry>() : new TreeMap<>(known);
                    all.merge(uid, entry, Entry::and);
                    return all;
                });
    }

    /// The pod's eviction was granted: until it is seen to go, it need not be asked for again.
    public void asked(ObjectName pod, String uid, Instant moment) {
        change(pod, uid, entry -> entry.askedAt(moment));
    }

    /// A copy of the pod is being made: it leaves when that one is ready.
    public void copyAsked(ObjectName pod, String uid, Instant moment) {
        change(pod, uid, entry -> entry.copyAskedAt(moment));
    }

    private void change(ObjectName pod, String uid, UnaryOperator<Entry> change) {
        pods.computeIfPresent(
                pod,
                (_, known) -> {
                    var all = new TreeMap<>(known);
                    all.computeIfPresent(uid, (_, entry) -> change.apply(entry));
                    return all;
                });
    }

    public @Nullable Entry find(ObjectName pod, String uid) {
        return pods.getOrDefault(pod, Map.of()).get(uid);
    }

    public boolean has(ObjectName pod) {
        return pods.containsKey(pod);
    }

    public int size() {
        return pods.size();
    }

    public void drop(ObjectName pod, String uid) {
        pods.computeIfPresent(
                pod,
                (_, known) -> {
                    var rest = new TreeMap<>(known);
                    rest.remove(uid);
                    return rest.isEmpty() ? null : rest;
                });
    }

    /// Drops all pods that had the name but the one of this uid; null when there is none.
    public void dropOthers(ObjectName pod, @Nullable String uid) {
        pods.computeIfPresent(
                pod,
                (_, known) -> {
                    var entry = uid == null ? null : known.get(uid);
                    return uid == null || entry == null ? null : new TreeMap<>(Map.of(uid, entry));
                });
    }
}
