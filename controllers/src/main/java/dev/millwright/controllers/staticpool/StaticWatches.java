package dev.millwright.controllers.staticpool;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PoolObject;

import java.util.List;
import java.util.Objects;

/// Which changes mean that a static pool may have too few or too many nodes.
final class StaticWatches {

    private StaticWatches() {}

    /// A pool that came, or whose number changed.
    static boolean isResized(Change<PoolObject> change) {
        var before = change.before();
        var after = change.after();
        return after != null
                && (before == null
                        || !Objects.equals(before.pool().replicas(), after.pool().replicas()));
    }

    /// Like [#isResized], or a pool that became ready.
    static boolean isResizedOrReady(Change<PoolObject> change) {
        var before = change.before();
        var after = change.after();
        var isNowReady =
                before != null
                        && after != null
                        && !before.pool().isReady()
                        && after.pool().isReady();
        return isNowReady || isResized(change);
    }

    /// The claim's pool, when that is static.
    static List<ObjectName> staticPool(View view, ClaimObject claim) {
        var pool = view.pool(claim.nodePool());
        return pool == null || !pool.pool().isStatic() ? List.of() : List.of(pool.name());
    }
}
