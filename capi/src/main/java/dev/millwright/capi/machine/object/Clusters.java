package dev.millwright.capi.machine.object;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The Cluster that a machine's object belongs to.
public final class Clusters {

    private Clusters() {}

    /// By the label that core and users put there; null when there is none, or none yet.
    public static @Nullable RawObject labelled(View view, ClusterApi api, RawObject object) {
        return named(view, api, object, object.meta().label(ClusterApi.CLUSTER_NAME));
    }

    public static @Nullable RawObject named(
            View view, ClusterApi api, RawObject object, String name) {
        return name.isEmpty()
                ? null
                : view.cache(api.cluster()).find(new ObjectName(object.name().namespace(), name));
    }

    /// The objects of a kind that are labelled with the Cluster that changed.
    public static List<ObjectName> labelledKeys(
            View view, Kind<RawObject> kind, Change<RawObject> cluster) {
        var name = cluster.name();
        return view.cache(kind).all().stream()
                .filter(each -> each.name().namespace().equals(name.namespace()))
                .filter(each -> each.meta().label(ClusterApi.CLUSTER_NAME).equals(name.name()))
                .map(RawObject::name)
                .toList();
    }

    /// A v1beta1 core says it by one field, a v1beta2 core by another.
    public static boolean hasInfrastructure(RawObject cluster) {
        var status = cluster.status();
        return status.at("infrastructureReady").isTrue()
                || status.at("initialization").at("infrastructureProvisioned").isTrue();
    }
}
