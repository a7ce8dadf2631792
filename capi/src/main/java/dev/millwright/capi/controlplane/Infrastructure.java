package dev.millwright.capi.controlplane;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.cluster.CaptClusters;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// What a control plane needs to know of the network it is to live in.
///
/// `waitsFor` is the Workspace that makes the VPC: it must be ready before, and is taken away
/// after.
record Infrastructure(boolean isReady, String vpcId, @Nullable String waitsFor, String message) {

    static Infrastructure of(View view, RawObject controlPlane, RawObject cluster) {
        if (!CaptClusters.isNamed(cluster)) {
            return foreign(view, controlPlane);
        }
        var captCluster = CaptClusters.of(view, cluster);
        if (captCluster == null) {
            return new Infrastructure(false, "", null, "waits for the CAPTCluster of its Cluster");
        }
        var ready = captCluster.conditions().find("Ready");
        var name = captCluster.name().name();
        return new Infrastructure(
                CaptClusters.isReady(captCluster),
                CaptClusters.vpcId(captCluster),
                CaptClusters.workspace(captCluster, cluster.name().name()),
                ready == null || ready.message().isEmpty()
                        ? "waits for the VPC of CAPTCluster %s".formatted(name)
                        : "waits for the VPC of CAPTCluster %s: %s"
                                .formatted(name, ready.message()));
    }

    /// Somebody else's network. An apply by the name that CAPT gives one is still waited for.
    private static Infrastructure foreign(View view, RawObject controlPlane) {
        var apply = Applies.find(view, ControlPlanes.beside(controlPlane, "-vpc"));
        return new Infrastructure(
                true, "", apply == null ? null : Applies.workspaceName(apply.name().name()), "");
    }
}
