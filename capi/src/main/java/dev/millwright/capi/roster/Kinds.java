package dev.millwright.capi.roster;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.RawObject;

import java.util.List;

/// What the provider watches. Both halves see everything: a cluster waits for its control plane.
public final class Kinds {

    private Kinds() {}

    public static List<Kind<RawObject>> all(ClusterApi core) {
        return List.of(
                core.cluster(),
                core.machine(),
                core.machinePool(),
                CaptTypes.CLUSTER,
                CaptTypes.CONTROL_PLANE,
                CaptTypes.CONTROL_PLANE_TEMPLATE,
                CaptTypes.CLUSTER_TEMPLATE,
                CaptTypes.MACHINE,
                CaptTypes.MACHINE_SET,
                CaptTypes.MACHINE_DEPLOYMENT,
                CaptTypes.MACHINE_TEMPLATE,
                CaptTypes.MACHINE_POOL,
                CaptTypes.MACHINE_POOL_TEMPLATE,
                CaptTypes.WORKSPACE_TEMPLATE,
                CaptTypes.APPLY,
                CaptTypes.WORKSPACE,
                CaptTypes.PROVIDER_CONFIG,
                CaptTypes.PROVIDER_CONFIG_USAGE,
                CaptTypes.NAMESPACED_WORKSPACE,
                CaptTypes.NAMESPACED_PROVIDER_CONFIG,
                CaptTypes.CLUSTER_PROVIDER_CONFIG);
    }

    /// How a kind is watched: what has a namespace in ours alone, if one was named.
    public static Reflector.Subject subject(ResourceType type, ClusterApi core, String namespace) {
        var all = Reflector.Subject.all(type);
        var here = namespace.isEmpty() || !type.isNamespaced() ? all : all.inNamespace(namespace);
        return isOptional(type, core) ? here.optional() : here;
    }

    /// Pools of machines are a choice of core's, and the namespaced Workspaces came late.
    private static boolean isOptional(ResourceType type, ClusterApi core) {
        return type.equals(core.machinePool().type())
                || type.group().equals(CaptTypes.TERRAFORM_NAMESPACED);
    }
}
