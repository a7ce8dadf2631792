package dev.millwright.capi.machine.membership;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// What a Cluster says of the objects that it is made of.
final class ClusterParts {

    /// An object that machines hang below.
    record Parent(Kind<RawObject> kind, RawObject object) {}

    private ClusterParts() {}

    static boolean isOurs(RawObject cluster) {
        return names(cluster, "controlPlaneRef", CaptTypes.CONTROL_PLANE)
                || names(cluster, "infrastructureRef", CaptTypes.CLUSTER);
    }

    static boolean hasOurControlPlane(RawObject cluster) {
        return names(cluster, "controlPlaneRef", CaptTypes.CONTROL_PLANE);
    }

    private static boolean names(RawObject cluster, String field, Kind<RawObject> kind) {
        return cluster.spec().at(field).at("kind").text("").equals(kind.type().kind());
    }

    static @Nullable RawObject controlPlane(View view, RawObject cluster) {
        return find(view, cluster, "controlPlaneRef", CaptTypes.CONTROL_PLANE);
    }

    /// The control plane; where that is not ours, the network. Null while it is not there.
    static @Nullable Parent parent(View view, RawObject cluster) {
        var kind = hasOurControlPlane(cluster) ? CaptTypes.CONTROL_PLANE : CaptTypes.CLUSTER;
        var field = hasOurControlPlane(cluster) ? "controlPlaneRef" : "infrastructureRef";
        var found = find(view, cluster, field, kind);
        return found == null ? null : new Parent(kind, found);
    }

    private static @Nullable RawObject find(
            View view, RawObject cluster, String field, Kind<RawObject> kind) {
        var name = cluster.spec().at(field).at("name").text("");
        return names(cluster, field, kind) && !name.isEmpty()
                ? view.cache(kind).find(new ObjectName(cluster.name().namespace(), name))
                : null;
    }
}
