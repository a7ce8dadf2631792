package dev.millwright.capi.machine.membership;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller.Watch;

import java.util.List;

/// Wakes the objects of a kind when their Cluster or its control plane changes. One without a label
/// may be waiting for any Cluster of its namespace.
public final class MembershipWatches {

    private MembershipWatches() {}

    public static List<Watch<?>> of(ClusterApi api, Kind<RawObject> kind) {
        return List.of(
                new Watch<>(
                        api.cluster(),
                        (view, change) -> of(view, kind, change.name(), change.name().name())),
                new Watch<>(
                        CaptTypes.CONTROL_PLANE,
                        (view, change) -> ofControlPlane(view, api, kind, change.name())));
    }

    private static List<ObjectName> ofControlPlane(
            View view, ClusterApi api, Kind<RawObject> kind, ObjectName controlPlane) {
        return view.cache(api.cluster()).all().stream()
                .filter(each -> each.name().namespace().equals(controlPlane.namespace()))
                .filter(
                        each ->
                                each.spec()
                                        .at("controlPlaneRef")
                                        .at("name")
                                        .text("")
                                        .equals(controlPlane.name()))
                .flatMap(each -> of(view, kind, each.name(), each.name().name()).stream())
                .toList();
    }

    private static List<ObjectName> of(
            View view, Kind<RawObject> kind, ObjectName beside, String cluster) {
        return view.cache(kind).all().stream()
                .filter(each -> each.name().namespace().equals(beside.namespace()))
                .filter(each -> isOf(each, cluster))
                .map(RawObject::name)
                .toList();
    }

    private static boolean isOf(RawObject object, String cluster) {
        var label = object.meta().label(ClusterApi.CLUSTER_NAME);
        return label.isEmpty() || label.equals(cluster);
    }
}
