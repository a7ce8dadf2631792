package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;

/// Takes an apply's Workspace away before the apply goes, or leaves it where that was asked for.
final class ApplyDeletion {

    private ApplyDeletion() {}

    static Step of(View view, RawObject apply, @Nullable RawObject workspace, Instant now) {
        if (!apply.meta().hasFinalizer(ApplyController.FINALIZER)) {
            return Step.DONE;
        }
        if (workspace == null) {
            return Step.of(release(apply));
        }
        if (apply.spec().at("retainWorkspaceOnDelete").isTrue()) {
            return ApplyPause.release(workspace)
                    .followedBy(
                            Step.of(
                                    ApplyStatus.say(
                                            apply,
                                            "RetainedWorkspace",
                                            "leaves Workspace %s and all it made"
                                                    .formatted(workspace.name().name())),
                                    release(apply)));
        }
        var effects = new ArrayList<>(ApplyPause.release(workspace).effects());
        var dependent = dependent(view, apply, workspace.name().name());
        if (dependent != null) {
            effects.add(
                    ApplyStatus.say(
                            apply,
                            "WaitingForDependents",
                            "waits until WorkspaceTemplateApply %s is gone, which needs this one"
                                    .formatted(dependent.name().name())));
        } else if (!workspace.meta().isDeleting()) {
            effects.add(ObjectPatches.delete(CaptTypes.WORKSPACE, workspace));
            effects.add(
                    ApplyStatus.say(
                            apply,
                            "DeletedWorkspace",
                            "deletes Workspace " + workspace.name().name()));
        }
        effects.addAll(ApplyStatus.copied(apply, workspace, now));
        return Step.of(effects).thenAgain(ApplyStatus.FOLLOW_EVERY);
    }

    private static Effect release(RawObject apply) {
        return new Effect.Write(
                ObjectPatches.withoutFinalizer(CaptTypes.APPLY, apply, ApplyController.FINALIZER));
    }

    /// One that waited for this Workspace and is being deleted too, or works for the same Cluster:
    /// it goes first, whichever deletion came first. A garbage collector may come to the other only
    /// later. A stranger that is to stay is its owner's mistake and holds up nothing, and neither
    /// does one of another namespace, which its owner may keep from going.
    private static @Nullable RawObject dependent(View view, RawObject apply, String workspace) {
        return view.cache(CaptTypes.APPLY).all().stream()
                .filter(each -> !each.name().equals(apply.name()))
                .filter(each -> each.name().namespace().equals(apply.name().namespace()))
                .filter(each -> each.meta().isDeleting() || isOfSameCluster(each, apply))
                .filter(each -> Applies.awaited(each).contains(workspace))
                .filter(each -> Applies.workspace(view, each) != null)
                .findFirst()
                .orElse(null);
    }

    private static boolean isOfSameCluster(RawObject one, RawObject other) {
        var cluster = one.meta().label(ClusterApi.CLUSTER_NAME);
        return !cluster.isEmpty() && cluster.equals(other.meta().label(ClusterApi.CLUSTER_NAME));
    }
}
