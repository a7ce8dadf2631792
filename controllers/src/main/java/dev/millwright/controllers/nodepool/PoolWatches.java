package dev.millwright.controllers.nodepool;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Controller.Watch;

import java.util.ArrayList;
import java.util.List;

/// The watches by which controllers of pools are called.
public final class PoolWatches {

    private PoolWatches() {}

    /// Every change of a pool, and of the class it refers to.
    public static List<Watch<?>> ofPoolsAndClasses(List<Kind<NodeClassObject>> classKinds) {
        var watches = new ArrayList<Watch<?>>();
        watches.add(Watch.own(Kind.NODE_POOL));
        for (var kind : classKinds) {
            watches.add(
                    new Watch<>(kind, (view, change) -> poolsOf(view, kind, change.name().name())));
        }
        return List.copyOf(watches);
    }

    private static List<ObjectName> poolsOf(
            View view, Kind<NodeClassObject> kind, String className) {
        return view.pools().stream()
                .filter(pool -> refersTo(pool, kind, className))
                .map(PoolObject::name)
                .toList();
    }

    private static boolean refersTo(PoolObject pool, Kind<NodeClassObject> kind, String className) {
        var reference = pool.pool().template().nodeClassRef();
        return reference.group().equals(kind.type().group())
                && reference.kind().equals(kind.type().kind())
                && reference.name().equals(className);
    }
}
