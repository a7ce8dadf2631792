package dev.millwright.capi.machine.membership;

import dev.millwright.capi.machine.membership.ClusterParts.Parent;
import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.machine.object.Patches;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Gives an object its place in the tree of its Cluster: the Cluster's label, and where no set or
/// deployment controls it, the control plane as an owner. So `clusterctl move` takes it along, and
/// the control plane finds it before it goes.
public final class ClusterAdoption {

    private ClusterAdoption() {}

    /// No write where both are there. The write's change wakes the next step.
    public static List<Effect> of(
            View view, Kind<RawObject> kind, RawObject object, ClusterMembership membership) {
        var cluster = membership.cluster();
        if (cluster == null) {
            return List.of();
        }
        var name = cluster.name().name();
        var isLabelled = object.meta().label(ClusterApi.CLUSTER_NAME).equals(name);
        var parent =
                Ownership.controller(object.meta()) == null
                        ? ClusterParts.parent(view, cluster)
                        : null;
        var isOwned = parent == null || isOwned(object, parent);
        if (isLabelled && isOwned) {
            return List.of();
        }
        var metadata = Tree.of();
        if (!isLabelled) {
            metadata.put("labels", Tree.of(ClusterApi.CLUSTER_NAME, name));
        }
        if (!isOwned) {
            metadata.putList("ownerReferences", owners(object, parent));
        }
        return List.of(Patches.metadata(kind, object, metadata));
    }

    private static boolean isOwned(RawObject object, Parent parent) {
        return object.meta().owners().stream()
                .anyMatch(each -> each.uid().equals(parent.object().meta().uid()));
    }

    /// One of the same kind that went before is no owner any more.
    private static List<Value.Mapping> owners(RawObject object, @Nullable Parent parent) {
        var owners = new ArrayList<>(object.meta().owners());
        if (parent != null) {
            var type = parent.kind().type();
            owners.removeIf(
                    each ->
                            each.kind().equals(type.kind())
                                    && each.apiVersion().startsWith(type.group() + "/"));
            owners.add(
                    new OwnerReference(
                            type.apiVersion(),
                            type.kind(),
                            parent.object().name().name(),
                            parent.object().meta().uid(),
                            false,
                            true));
        }
        return owners.stream().map(OwnerReference::value).toList();
    }
}
