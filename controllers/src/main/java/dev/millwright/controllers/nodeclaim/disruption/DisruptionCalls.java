package dev.millwright.controllers.nodeclaim.disruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;

import java.util.List;
import java.util.function.Predicate;

/// Which claims to look at when a pool or a class changed.
final class DisruptionCalls {

    private DisruptionCalls() {}

    /// The pool's status says how many nodes it has and changes with each of them; none drifts by
    /// it.
    static List<ObjectName> ofPool(View view, Change<PoolObject> change) {
        var before = change.before();
        var after = change.after();
        var isNews =
                after != null
                        && (before == null
                                || before.meta().generation() != after.meta().generation()
                                || !before.meta().annotations().equals(after.meta().annotations()));
        return isNews
                ? claims(view, claim -> claim.nodePool().equals(change.name().name()))
                : List.of();
    }

    /// A class may find new images or networks at any time, and says so in its status.
    static List<ObjectName> ofClass(View view, Kind<NodeClassObject> kind, ObjectName name) {
        var reference = new NodeClassRef(kind.type().group(), kind.type().kind(), name.name());
        return claims(view, claim -> claim.spec().nodeClassRef().equals(reference));
    }

    private static List<ObjectName> claims(View view, Predicate<ClaimObject> isMeant) {
        return view.claims().stream().filter(isMeant).map(ClaimObject::name).toList();
    }
}
