package dev.millwright.capi.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// Who an object belongs to.
public final class Owners {

    private Owners() {}

    /// The owner of this kind, in any of its versions; null when it has none.
    public static @Nullable ObjectName of(RawObject object, Kind<?> kind) {
        var group = kind.type().group() + "/";
        return object.meta().owners().stream()
                .filter(owner -> owner.kind().equals(kind.type().kind()))
                .filter(owner -> owner.apiVersion().startsWith(group))
                .map(owner -> new ObjectName(object.name().namespace(), owner.name()))
                .findFirst()
                .orElse(null);
    }

    /// The Cluster that owns an object, else the one its label names, else the one of its own name.
    public static @Nullable RawObject cluster(View view, ClusterApi api, RawObject object) {
        var owner = of(object, api.cluster());
        var label = object.meta().label(ClusterApi.CLUSTER_NAME);
        var name =
                owner != null
                        ? owner
                        : label.isEmpty()
                                ? object.name()
                                : new ObjectName(object.name().namespace(), label);
        return view.cache(api.cluster()).find(name);
    }

    /// A reference by which an object goes with its owner.
    public static OwnerReference controller(Kind<?> kind, RawObject owner) {
        return new OwnerReference(
                kind.type().apiVersion(),
                kind.type().kind(),
                owner.name().name(),
                owner.meta().uid(),
                true,
                true);
    }

    /// Whether something else than this already controls the object.
    public static boolean isAnothers(RawObject object, RawObject owner) {
        return object.meta().owners().stream()
                .anyMatch(each -> each.isController() && !each.uid().equals(owner.meta().uid()));
    }

    public static boolean has(RawObject object, RawObject owner) {
        return object.meta().owners().stream()
                .anyMatch(each -> each.uid().equals(owner.meta().uid()));
    }
}
