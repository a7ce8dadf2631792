package dev.millwright.controllers.state;

import java.util.concurrent.ConcurrentHashMap;

/// Nodes of static pools that somebody is about to make, so that two who make some at once do not
/// pass the pool's limit together.
public final class NodeReservations {

    private final ConcurrentHashMap<String, Long> byPool = new ConcurrentHashMap<>();

    /// Sets aside as many of the wanted nodes as the limit leaves room for beside the nodes there
    /// are and those set aside already. Returns how many; each must be released.
    public long reserve(String pool, long nodesMax, long nodes, long wanted) {
        var granted = new long[1];
        byPool.compute(
                pool,
                (_, before) -> {
                    var reserved = before == null ? 0 : before;
                    granted[0] = Math.clamp(nodesMax - nodes - reserved, 0, Math.max(wanted, 0));
                    return granted[0] + reserved == 0 ? null : granted[0] + reserved;
                });
        return granted[0];
    }

    /// Gives back what was made, or was not to be had. Never more than was set aside.
    public void release(String pool, long nodes) {
        byPool.computeIfPresent(
                pool, (_, before) -> before <= nodes ? null : Long.valueOf(before - nodes));
    }

    public long reserved(String pool) {
        return byPool.getOrDefault(pool, 0L);
    }
}
