package dev.millwright.controllers.nodepool.health;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The last registrations of each pool's nodes, by the pool's uid: a pool made anew under an old
/// name begins anew.
///
/// A restart empties it. It holds as many pools as have launched nodes and are still there.
public final class PoolHealth {

    /// Registrations that are remembered of one pool.
    private static final int REMEMBERED_MAX = 4;

    /// So many failures among them, and the pool is not healthy.
    private static final int FAILURES_UNHEALTHY = 2;

    public enum Status {
        /// Nothing has been seen yet.
        UNKNOWN,
        HEALTHY,
        UNHEALTHY
    }

    /// Oldest first.
    private record Past(List<Boolean> successes) {

        static Past plus(@Nullable Past before, boolean success) {
            var all = new ArrayList<>(before == null ? List.<Boolean>of() : before.successes());
            all.add(success);
            return new Past(
                    List.copyOf(all.subList(Math.max(0, all.size() - REMEMBERED_MAX), all.size())));
        }

        Status status() {
            var failures = successes.stream().filter(success -> !success).count();
            return failures >= FAILURES_UNHEALTHY ? Status.UNHEALTHY : Status.HEALTHY;
        }
    }

    private final ConcurrentHashMap<String, Past> byPoolUid = new ConcurrentHashMap<>();

    public void record(String poolUid, boolean success) {
        byPoolUid.compute(poolUid, (_, before) -> Past.plus(before, success));
    }

    public Status status(String poolUid) {
        var past = byPoolUid.get(poolUid);
        return past == null ? Status.UNKNOWN : past.status();
    }

    /// What [#status] would be after one more registration. Nothing is recorded.
    public Status ifRecorded(String poolUid, boolean success) {
        return Past.plus(byPoolUid.get(poolUid), success).status();
    }

    /// Forgets the pools that are not among these.
    public void retain(Collection<String> poolUids) {
        byPoolUid.keySet().retainAll(Set.copyOf(poolUids));
    }

    public void forget(String poolUid) {
        byPoolUid.remove(poolUid);
    }
}
