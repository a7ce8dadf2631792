package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The memory that nodes were seen to have, by type and the images of their class: better than any
/// percentage. Other images may leave another amount, so with new ones all begins again.
public final class DiscoveredMemory {

    private static final Duration KEPT = Duration.ofDays(60);

    /// Far more types times sets of images than a cluster has in two months.
    private static final int ENTRIES_MAX = 20_000;

    private record Key(String type, Set<Ami> amis) {
        static Key of(String type, List<Ami> amis) {
            return new Key(type, new HashSet<>(amis));
        }
    }

    private record Seen(Quantity memory, Instant until) {}

    private final Map<Key, Seen> seen = new HashMap<>();
    private long version;

    /// Another number whenever an answer of [#find] may have changed.
    public synchronized long version(Instant now) {
        if (seen.values().removeIf(each -> !each.until().isAfter(now))) {
            version++;
        }
        return version;
    }

    public synchronized @Nullable Quantity find(String type, List<Ami> amis) {
        var found = seen.get(Key.of(type, amis));
        return found == null ? null : found.memory();
    }

    /// Of nodes that differ the smallest counts: a pod must fit on any of them.
    ///
    /// @return whether this changed what is known
    public synchronized boolean see(String type, List<Ami> amis, Quantity memory, Instant now) {
        var key = Key.of(type, amis);
        var known = seen.get(key);
        if (known != null && memory.compareTo(known.memory()) > 0) {
            return false;
        }
        if (known == null && seen.size() >= ENTRIES_MAX) {
            return false;
        }
        seen.put(key, new Seen(memory, now.plus(KEPT)));
        var isNews = known == null || !memory.equals(known.memory());
        if (isNews) {
            version++;
        }
        return isNews;
    }
}
