package dev.millwright.capi.controlplane;

import dev.millwright.capi.apply.Applies;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// The names that hang on a control plane's, and what others ask of it.
public final class ControlPlanes {

    public static final String FINALIZER = "controlplane.cluster.x-k8s.io/captcontrolplane";

    /// What the kubeconfig's own loop says about it.
    public static final String KUBECONFIG_READY = "KubeconfigReady";

    private ControlPlanes() {}

    static ObjectName eksApplyName(RawObject controlPlane) {
        var named = controlPlane.spec().at("workspaceTemplateApplyName").text("");
        return named.isEmpty()
                ? beside(controlPlane, "-eks-controlplane-apply")
                : named(controlPlane, named);
    }

    public static @Nullable RawObject eksApply(View view, RawObject controlPlane) {
        return Applies.find(view, eksApplyName(controlPlane));
    }

    public static ObjectName kubeconfigApplyName(RawObject controlPlane) {
        return beside(controlPlane, "-kubeconfig-apply");
    }

    /// The Secret with all outputs of the EKS cluster's Terraform.
    public static ObjectName connectionSecret(RawObject controlPlane) {
        return beside(controlPlane, "-eks-connection");
    }

    static ObjectName beside(RawObject controlPlane, String suffix) {
        return named(controlPlane, controlPlane.name().name() + suffix);
    }

    private static ObjectName named(RawObject controlPlane, String name) {
        return new ObjectName(controlPlane.name().namespace(), name);
    }

    /// Empty before the EKS cluster has one.
    public static String host(RawObject controlPlane) {
        return controlPlane.spec().at("controlPlaneEndpoint").at("host").text("");
    }

    /// Of the control plane, else as the Cluster's annotation has it.
    public static String region(RawObject controlPlane, RawObject cluster) {
        var region = controlPlane.spec().at("controlPlaneConfig").at("region").text("");
        var annotation = cluster.meta().annotation("cluster.x-k8s.io/region");
        return region.isEmpty() && annotation != null ? annotation : region;
    }
}
