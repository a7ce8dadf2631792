package dev.millwright.controllers.node.eviction;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// The pods that drains want gone, each by its name and uid, with the moment by which its node must
/// be empty. A restart forgets them; the next pass of the drain brings them back.
public final class EvictionQueue {

    /// More pods than a cluster may have. Beyond, drains come again until there is room.
    private static final int PODS_MAX = 200_000;

    /// `isDue` once the pod no longer has the time to end by itself before the deadline.
    public record Wish(@Nullable Instant deadline, boolean isDue) {

        /// Both at once: the earlier deadline counts.
        Wish and(Wish other) {
            return new Wish(earlier(deadline, other.deadline), isDue || other.isDue);
        }

        private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.isBefore(other) ? one : other;
        }
    }

    private final ConcurrentHashMap<ObjectName, Map<String, Wish>> wishes =
            new ConcurrentHashMap<>();

    /// Whether the wish would change anything, so that the pod is worth a look right away.
    public boolean isNews(ObjectName pod, String uid, Wish wish) {
        var before = find(pod, uid);
        return before == null || !before.and(wish).equals(before);
    }

    public void add(ObjectName pod, String uid, Wish wish) {
        if (wishes.size() >= PODS_MAX && !wishes.containsKey(pod)) {
            return;
        }
        wishes.compute(
                pod,
                (_, known) -> {
                    var all = known == null ? new TreeMap<String, Wish>() : new TreeMap<>(known);
                    all.merge(uid, wish, Wish::and);
                    return all;
                });
    }

    public @Nullable Wish find(ObjectName pod, String uid) {
        return wishes.getOrDefault(pod, Map.of()).get(uid);
    }

    public boolean has(ObjectName pod) {
        return wishes.containsKey(pod);
    }

    public int size() {
        return wishes.size();
    }

    public void drop(ObjectName pod, String uid) {
        wishes.computeIfPresent(
                pod,
                (_, known) -> {
                    var rest = new TreeMap<>(known);
                    rest.remove(uid);
                    return rest.isEmpty() ? null : rest;
                });
    }

    /// Drops all pods that had the name but the one of this uid; null when there is none.
    public void dropOthers(ObjectName pod, @Nullable String uid) {
        wishes.computeIfPresent(
                pod,
                (_, known) -> {
                    var wish = uid == null ? null : known.get(uid);
                    return uid == null || wish == null ? null : new TreeMap<>(Map.of(uid, wish));
                });
    }
}
