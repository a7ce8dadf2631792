package dev.millwright.capi.crd;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.crd.CustomResources;

import java.util.List;

/// The definitions of our kinds, in two parts: where Crossplane runs Terraform already, its own
/// definitions of [#terraform()] are there and must stay.
public final class CaptResources {

    private CaptResources() {}

    /// Clusters, control planes, machines, workspace templates and applies.
    public static CustomResources provider() {
        return of(
                CaptTypes.CLUSTER,
                CaptTypes.CLUSTER_TEMPLATE,
                CaptTypes.CONTROL_PLANE,
                CaptTypes.CONTROL_PLANE_TEMPLATE,
                CaptTypes.MACHINE,
                CaptTypes.MACHINE_SET,
                CaptTypes.MACHINE_DEPLOYMENT,
                CaptTypes.MACHINE_TEMPLATE,
                CaptTypes.MACHINE_POOL,
                CaptTypes.MACHINE_POOL_TEMPLATE,
                CaptTypes.WORKSPACE_TEMPLATE,
                CaptTypes.APPLY,
                CaptTypes.REFERENCE_GRANT);
    }

    /// Workspaces and what configures them, in both groups.
    public static CustomResources terraform() {
        return of(
                CaptTypes.WORKSPACE,
                CaptTypes.PROVIDER_CONFIG,
                CaptTypes.PROVIDER_CONFIG_USAGE,
                CaptTypes.NAMESPACED_WORKSPACE,
                CaptTypes.NAMESPACED_PROVIDER_CONFIG,
                CaptTypes.CLUSTER_PROVIDER_CONFIG);
    }

    public static CustomResources all() {
        return provider().with(terraform());
    }

    private static CustomResources of(Kind<?>... kinds) {
        return CustomResources.beside(
                CaptResources.class, List.of(kinds).stream().map(CaptResources::nameOf).toList());
    }

    private static String nameOf(Kind<?> kind) {
        return "%s.%s".formatted(kind.type().plural(), kind.type().group());
    }
}
