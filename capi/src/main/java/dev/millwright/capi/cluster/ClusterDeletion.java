package dev.millwright.capi.cluster;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.machine.membership.ClusterMachines;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Takes the VPC away, or leaves it, once no control plane and no machine lives in it any more.
final class ClusterDeletion {

    private ClusterDeletion() {}

    static Step of(View view, RawObject own, @Nullable RawObject cluster, ClusterStatus status) {
        if (!own.meta().hasFinalizer(CaptClusterController.FINALIZER)) {
            return Step.DONE;
        }
        var controlPlane = controlPlane(view, own, cluster);
        if (controlPlane != null) {
            return status.deleting(
                    "waits until CAPTControlPlane %s is gone"
                            .formatted(controlPlane.name().name()));
        }
        if (own.meta().hasFinalizer(Marks.ORPHAN_FINALIZER)) {
            return Step.DONE; // The garbage collector takes the owner off the others first.
        }
        var apply = apply(view, own, cluster);
        var name = cluster == null ? clusterName(own) : cluster.name().name();
        var machines = ClusterMachines.before(view, own, apply == null ? "" : name);
        if (machines != null) {
            return Step.of(machines.deletions()).followedBy(status.deleting(machines.message()));
        }
        if (apply == null) {
            return Step.of(
                    new Effect.Write(
                            ObjectPatches.withoutFinalizer(
                                    CaptTypes.CLUSTER, own, CaptClusterController.FINALIZER)));
        }
        var effects = new ArrayList<Effect>();
        if (!apply.meta().isDeleting()) {
            effects.addAll(retained(own, apply));
            effects.add(ObjectPatches.delete(CaptTypes.APPLY, apply));
        }
        return Step.of(effects).followedBy(status.deleting(Applies.awaitedEnd(view, apply)));
    }

    /// Whether the VPC stays may have been changed after the apply was written last.
    private static List<Effect> retained(RawObject own, RawObject apply) {
        var effects = new ArrayList<Effect>();
        var isRetained = own.spec().at("retainVpcOnDelete").isTrue();
        if (isRetained != apply.spec().at("retainWorkspaceOnDelete").isTrue()) {
            effects.add(
                    new Effect.Write(
                            ObjectPatches.patch(
                                    CaptTypes.APPLY,
                                    apply,
                                    Tree.of(
                                            "spec",
                                            new Tree()
                                                    .put("retainWorkspaceOnDelete", isRetained)))));
        }
        return effects;
    }

    private static @Nullable RawObject apply(
            View view, RawObject own, @Nullable RawObject cluster) {
        var name =
                CaptClusters.applyName(
                        own, cluster == null ? clusterName(own) : cluster.name().name());
        var apply = Applies.find(view, new ObjectName(own.name().namespace(), name));
        return apply == null || !Owners.has(apply, own) ? null : apply;
    }

    private static String clusterName(RawObject own) {
        var label = own.meta().label(ClusterApi.CLUSTER_NAME);
        return label.isEmpty() ? own.name().name() : label;
    }

    /// The one that the Cluster names, or that says it is of this Cluster.
    private static @Nullable RawObject controlPlane(
            View view, RawObject own, @Nullable RawObject cluster) {
        var referred =
                cluster == null ? "" : cluster.spec().at("controlPlaneRef").at("name").text("");
        var clusterName = cluster == null ? clusterName(own) : cluster.name().name();
        return view.cache(CaptTypes.CONTROL_PLANE).all().stream()
                .filter(each -> each.name().namespace().equals(own.name().namespace()))
                .filter(
                        each ->
                                each.name().name().equals(referred)
                                        || each.name().name().equals(clusterName)
                                        || each.meta()
                                                .label(ClusterApi.CLUSTER_NAME)
                                                .equals(clusterName))
                .findFirst()
                .orElse(null);
    }
}
