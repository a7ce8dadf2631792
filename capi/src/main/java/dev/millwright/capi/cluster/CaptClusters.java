package dev.millwright.capi.cluster;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// What others ask of a CAPTCluster.
public final class CaptClusters {

    private CaptClusters() {}

    /// The one that a Cluster names; null when it names another kind, or it is not there.
    public static @Nullable RawObject of(View view, RawObject cluster) {
        return isNamed(cluster) ? view.cache(CaptTypes.CLUSTER).find(name(cluster)) : null;
    }

    /// Whether the infrastructure of a Cluster is to be one of ours.
    public static boolean isNamed(RawObject cluster) {
        return cluster.spec()
                .at("infrastructureRef")
                .at("kind")
                .text("")
                .equals(CaptTypes.CLUSTER.type().kind());
    }

    private static ObjectName name(RawObject cluster) {
        return new ObjectName(
                cluster.name().namespace(),
                cluster.spec().at("infrastructureRef").at("name").text(""));
    }

    public static boolean isReady(RawObject captCluster) {
        return captCluster.status().at("ready").isTrue();
    }

    /// Empty while nobody knows.
    public static String vpcId(RawObject captCluster) {
        var existing = captCluster.spec().at("existingVpcId").text("");
        return existing.isEmpty() ? captCluster.status().at("vpcId").text("") : existing;
    }

    /// The Workspace that makes the VPC; null for one that exists already.
    public static @Nullable String workspace(RawObject captCluster, String clusterName) {
        return captCluster.spec().at("existingVpcId").text("").isEmpty()
                ? Applies.workspaceName(applyName(captCluster, clusterName))
                : null;
    }

    static String applyName(RawObject captCluster, String clusterName) {
        var named = captCluster.spec().at("workspaceTemplateApplyName").text("");
        return named.isEmpty() ? clusterName + "-vpc" : named;
    }
}
