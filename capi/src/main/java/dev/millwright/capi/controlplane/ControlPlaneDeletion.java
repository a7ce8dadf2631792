package dev.millwright.capi.controlplane;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.machine.membership.ClusterMachines;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;

/// Takes a control plane away: machines first, then its kubeconfig, which needs the EKS cluster,
/// then that.
final class ControlPlaneDeletion {

    private final ClusterApi api;

    ControlPlaneDeletion(ClusterApi api) {
        this.api = api;
    }

    Step of(View view, RawObject own, @Nullable RawObject cluster, ControlPlaneStatus status) {
        if (!own.meta().hasFinalizer(ControlPlanes.FINALIZER)) {
            return Step.DONE;
        }
        if (own.meta().hasFinalizer(Marks.ORPHAN_FINALIZER)) {
            return Step.DONE; // The garbage collector takes the owner off the others first.
        }
        var next = next(view, own);
        var machines =
                ClusterMachines.before(view, own, next == null ? "" : clusterName(own, cluster));
        if (machines != null) {
            return Step.of(machines.deletions()).followedBy(status.deleting(machines.message()));
        }
        var effects = new ArrayList<Effect>();
        if (cluster != null && cluster.spec().at("controlPlaneEndpoint").isPresent()) {
            effects.add(
                    new Effect.Write(
                            ObjectPatches.patch(
                                    api.cluster(),
                                    cluster,
                                    Tree.of("spec", new Tree().putNothing("controlPlaneEndpoint"))),
                            Answers::deleted));
        }
        if (next == null) {
            effects.add(
                    new Effect.Write(
                            ObjectPatches.withoutFinalizer(
                                    CaptTypes.CONTROL_PLANE, own, ControlPlanes.FINALIZER)));
            return Step.of(effects);
        }
        if (!next.meta().isDeleting()) {
            effects.add(ObjectPatches.delete(CaptTypes.APPLY, next));
        }
        return Step.of(effects).followedBy(status.deleting(Applies.awaitedEnd(view, next)));
    }

    private static String clusterName(RawObject own, @Nullable RawObject cluster) {
        return cluster == null ? own.meta().label(ClusterApi.CLUSTER_NAME) : cluster.name().name();
    }

    private static @Nullable RawObject next(View view, RawObject own) {
        var kubeconfig = Applies.find(view, ControlPlanes.kubeconfigApplyName(own));
        if (kubeconfig != null && Owners.has(kubeconfig, own)) {
            return kubeconfig;
        }
        var eks = ControlPlanes.eksApply(view, own);
        return eks != null && Owners.has(eks, own) ? eks : null;
    }
}
