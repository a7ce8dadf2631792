package dev.millwright.capi.machine.membership;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// Why machines are not made yet: EKS takes nodes only of a cluster that is there.
public record WaitReason(String reason, String message) {

    private static final String CONTROL_PLANE = "WaitingForControlPlane";

    /// Null when nothing is to be waited for.
    public static @Nullable WaitReason of(View view, ClusterMembership membership) {
        return switch (membership) {
            case ClusterMembership.Independent() -> null;
            case ClusterMembership.Unknown(var message) ->
                    new WaitReason("ClusterUnknown", message);
            case ClusterMembership.Absent(var name) ->
                    new WaitReason("WaitingForCluster", "Cluster %s is not there".formatted(name));
            case ClusterMembership.Member(var cluster) -> ofControlPlane(view, cluster);
        };
    }

    private static @Nullable WaitReason ofControlPlane(View view, RawObject cluster) {
        var clusterName = cluster.name().name();
        var name = cluster.spec().at("controlPlaneRef").at("name").text("");
        if (name.isEmpty()) {
            return cluster.spec().at("topology").isPresent()
                    ? new WaitReason(
                            CONTROL_PLANE,
                            "Cluster %s names no control plane yet".formatted(clusterName))
                    : null;
        }
        if (!ClusterParts.hasOurControlPlane(cluster)) {
            return isInitialized(cluster)
                    ? null
                    : new WaitReason(
                            CONTROL_PLANE,
                            "the control plane of Cluster %s is not initialized"
                                    .formatted(clusterName));
        }
        var controlPlane = ClusterParts.controlPlane(view, cluster);
        if (controlPlane == null) {
            return new WaitReason(
                    CONTROL_PLANE, "CAPTControlPlane %s is not there".formatted(name));
        }
        if (controlPlane.meta().isDeleting()) {
            return new WaitReason(
                    "ControlPlaneDeleting", "CAPTControlPlane %s is being deleted".formatted(name));
        }
        return controlPlane.status().at("initialized").isTrue()
                ? null
                : new WaitReason(CONTROL_PLANE, notReady(controlPlane));
    }

    private static String notReady(RawObject controlPlane) {
        var ready = controlPlane.conditions().find("Ready");
        var why = ready == null ? "" : ready.message();
        var said = "CAPTControlPlane %s is not ready".formatted(controlPlane.name().name());
        return why.isEmpty() ? said : said + ": " + why;
    }

    /// As core says it of any control plane, in either of its versions.
    private static boolean isInitialized(RawObject cluster) {
        var status = cluster.status();
        return status.at("initialization").at("controlPlaneInitialized").isTrue()
                || status.at("controlPlaneReady").isTrue()
                || cluster.conditions().isTrue("ControlPlaneInitialized");
    }
}
