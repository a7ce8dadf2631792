package dev.millwright.capi.machine.object;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// The Cluster that a machine's object belongs to.
public final class Clusters {

    private Clusters() {}

    /// In the object's namespace; null when there is none of this name.
    public static @Nullable RawObject named(
            View view, ClusterApi api, RawObject object, String name) {
        return name.isEmpty()
                ? null
                : view.cache(api.cluster()).find(new ObjectName(object.name().namespace(), name));
    }

    /// A v1beta1 core says it by one field, a v1beta2 core by another.
    public static boolean hasInfrastructure(RawObject cluster) {
        var status = cluster.status();
        return status.at("infrastructureReady").isTrue()
                || status.at("initialization").at("infrastructureProvisioned").isTrue();
    }
}
