package dev.millwright.controllers.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Machines that a disruption has decided to take away, nodes that pods are about to be bound to,
/// and nodes whose room a capacity buffer counts on. The first are gone already as far as sums and
/// scheduling go; the second must stay; the third are not empty.
public final class Marks {

    /// Longer than any nomination lasts: one that ends so much before a new one is over.
    private static final Duration NOMINATION_MAX = Duration.ofHours(1);

    /// Nominations are swept when there are more: by then most of them are over.
    private static final int SWEPT_AT = 10_000;

    private final Set<String> marked = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, Instant> nominated = new ConcurrentHashMap<>();

    private final AtomicLong revision = new AtomicLong();

    /// Replaced as a whole, never changed.
    private volatile Map<String, Integer> heldOpen = Map.of();

    public void mark(String providerId) {
        if (marked.add(providerId)) {
            revision.incrementAndGet();
        }
    }

    /// Also for a machine that is gone, so that marks do not pile up.
    public void unmark(String providerId) {
        if (marked.remove(providerId)) {
            revision.incrementAndGet();
        }
    }

    /// Grows with every machine that is marked or held open, or no longer is.
    public long revision() {
        return revision.get();
    }

    public boolean isMarked(String providerId) {
        return marked.contains(providerId);
    }

    /// Keeps the node until then; a nomination that lasts longer stays.
    public void nominate(String nodeName, Instant until) {
        nominated.merge(nodeName, until, (before, after) -> before.isAfter(after) ? before : after);
        if (nominated.size() > SWEPT_AT) {
            nominated.values().removeIf(end -> end.isBefore(until.minus(NOMINATION_MAX)));
        }
    }

    /// The number of virtual pods on each node, all of them: a node that is not here holds none.
    public void holdOpen(Map<String, Integer> virtualPodsByNode) {
        var positive = new TreeMap<String, Integer>();
        virtualPodsByNode.forEach(
                (node, count) -> {
                    if (count > 0) {
                        positive.put(node, count);
                    }
                });
        if (!positive.equals(heldOpen)) {
            heldOpen = positive;
            revision.incrementAndGet();
        }
    }

    public int virtualPodsOn(String nodeName) {
        return heldOpen.getOrDefault(nodeName, 0);
    }

    boolean isHeldOpen(String nodeName) {
        return virtualPodsOn(nodeName) > 0;
    }

    public boolean isNominated(String nodeName, Instant now) {
        var until = nominated.get(nodeName);
        return until != null && now.isBefore(until);
    }
}
