package dev.millwright.capi.object;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.object.RawObject;

/// The kinds of this provider.
public final class CaptTypes {

    public static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";
    public static final String CONTROL_PLANE_GROUP = "controlplane.cluster.x-k8s.io";
    public static final String TERRAFORM = "tf.upbound.io";
    public static final String TERRAFORM_NAMESPACED = "tf.m.upbound.io";

    /// The version users write and we keep; v1beta2 is the same object under another name.
    private static final String VERSION = "v1beta1";

    public static final Kind<RawObject> CLUSTER = infrastructure("captclusters", "CAPTCluster");
    public static final Kind<RawObject> CONTROL_PLANE =
            namespaced(CONTROL_PLANE_GROUP, "captcontrolplanes", "CAPTControlPlane");
    public static final Kind<RawObject> CONTROL_PLANE_TEMPLATE =
            namespaced(
                    CONTROL_PLANE_GROUP, "captcontrolplanetemplates", "CAPTControlPlaneTemplate");
    public static final Kind<RawObject> CLUSTER_TEMPLATE =
            infrastructure("captclustertemplates", "CAPTClusterTemplate");
    public static final Kind<RawObject> MACHINE = infrastructure("captmachines", "CaptMachine");
    public static final Kind<RawObject> MACHINE_SET =
            infrastructure("captmachinesets", "CaptMachineSet");
    public static final Kind<RawObject> MACHINE_DEPLOYMENT =
            infrastructure("captmachinedeployments", "CaptMachineDeployment");
    public static final Kind<RawObject> MACHINE_TEMPLATE =
            infrastructure("captmachinetemplates", "CaptMachineTemplate");
    public static final Kind<RawObject> MACHINE_POOL =
            infrastructure("captmachinepools", "CaptMachinePool");
    public static final Kind<RawObject> MACHINE_POOL_TEMPLATE =
            infrastructure("captmachinepooltemplates", "CaptMachinePoolTemplate");
    public static final Kind<RawObject> WORKSPACE_TEMPLATE =
            infrastructure("workspacetemplates", "WorkspaceTemplate");
    public static final Kind<RawObject> APPLY =
            infrastructure("workspacetemplateapplies", "WorkspaceTemplateApply");

    public static final Kind<RawObject> WORKSPACE =
            Kind.raw(new ResourceType(TERRAFORM, VERSION, "workspaces", "Workspace", false));
    public static final Kind<RawObject> PROVIDER_CONFIG =
            Kind.raw(
                    new ResourceType(
                            TERRAFORM, VERSION, "providerconfigs", "ProviderConfig", false));
    public static final Kind<RawObject> PROVIDER_CONFIG_USAGE =
            Kind.raw(
                    new ResourceType(
                            TERRAFORM,
                            VERSION,
                            "providerconfigusages",
                            "ProviderConfigUsage",
                            false));
    public static final Kind<RawObject> NAMESPACED_WORKSPACE =
            namespaced(TERRAFORM_NAMESPACED, "workspaces", "Workspace");
    public static final Kind<RawObject> NAMESPACED_PROVIDER_CONFIG =
            namespaced(TERRAFORM_NAMESPACED, "providerconfigs", "ProviderConfig");
    public static final Kind<RawObject> CLUSTER_PROVIDER_CONFIG =
            Kind.raw(
                    new ResourceType(
                            TERRAFORM_NAMESPACED,
                            VERSION,
                            "clusterproviderconfigs",
                            "ClusterProviderConfig",
                            false));

    /// Never watched: grants are read when a reference leaves its namespace.
    public static final Kind<RawObject> REFERENCE_GRANT = Kind.raw(ReferenceGrants.TYPE);

    private CaptTypes() {}

    private static Kind<RawObject> infrastructure(String plural, String kind) {
        return namespaced(INFRASTRUCTURE, plural, kind);
    }

    private static Kind<RawObject> namespaced(String group, String plural, String kind) {
        return Kind.raw(new ResourceType(group, VERSION, plural, kind, true));
    }
}
