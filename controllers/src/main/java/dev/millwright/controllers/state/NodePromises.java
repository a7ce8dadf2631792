package dev.millwright.controllers.state;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ConcurrentHashMap;

/// Nodes of a pool that calls under way are about to make. Two who fill one pool at once would each
/// see room for all they want; what is promised to one is taken to the other.
public final class NodePromises {

    private final ConcurrentHashMap<String, Long> byPool = new ConcurrentHashMap<>();

    /// As many of the wanted nodes as a pool that has `nodes` may still get, promised until they
    /// are released. Never negative.
    public long promise(String pool, long nodes, long nodesMax, long wanted) {
        var granted = new long[1];
        byPool.compute(
                pool,
                (_, known) -> {
                    var promised = known == null ? 0 : known;
                    var room = nodesMax - nodes - promised;
                    granted[0] = Math.max(0, Math.min(wanted, room));
                    return unlessZero(promised + granted[0]);
                });
        return granted[0];
    }

    /// The nodes are there, or will not come. More than was promised releases all.
    public void release(String pool, long count) {
        byPool.computeIfPresent(pool, (_, known) -> unlessZero(Math.max(0, known - count)));
    }

    public long promised(String pool) {
        return byPool.getOrDefault(pool, 0L);
    }

    private static @Nullable Long unlessZero(long count) {
        return count == 0 ? null : count;
    }
}
