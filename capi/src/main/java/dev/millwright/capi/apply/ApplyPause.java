package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;

/// What `clusterctl move` relies on. A Workspace has no namespace and stays behind: it must have
/// stopped before the rest goes, and an apply holds the move back until then.
///
/// The hold is there from the beginning and not only once the pause is seen: clusterctl looks for
/// it right after it has paused the Cluster.
final class ApplyPause {

    /// After this long without a word from whoever runs the Workspace, nobody does.
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private ApplyPause() {}

    /// Finalizer and hold, before anything is made; null when both are there.
    static @Nullable Step prepare(RawObject apply, boolean isOfCluster) {
        if (!apply.meta().hasFinalizer(ApplyController.FINALIZER)) {
            return Step.of(
                    new Effect.Write(
                            ObjectPatches.withFinalizer(
                                    CaptTypes.APPLY, apply, ApplyController.FINALIZER)));
        }
        if (isOfCluster && apply.meta().annotation(Marks.BLOCK_MOVE) == null) {
            return Step.of(annotate(apply, Tree.of(Marks.BLOCK_MOVE, "true")));
        }
        return null;
    }

    static Step hold(RawObject apply, @Nullable RawObject workspace, Instant now) {
        var effects = new ArrayList<Effect>();
        if (workspace != null && !isPaused(workspace)) {
            effects.add(
                    mark(
                            workspace,
                            Tree.of(Marks.PAUSED, "true").put(Marks.PAUSED_SINCE, now.toString())));
        }
        effects.addAll(
                ObjectPatches.statusIfChanged(
                        CaptTypes.APPLY,
                        apply,
                        new Tree()
                                .put(
                                        "conditions",
                                        ApplyStatus.paused(apply, workspace, now).value())));
        var isHeld = apply.meta().annotation(Marks.BLOCK_MOVE) != null;
        if (isHeld && isQuiet(workspace, now)) {
            effects.add(annotate(apply, new Tree().putNothing(Marks.BLOCK_MOVE)));
            return Step.of(effects);
        }
        return isHeld ? Step.of(effects).thenAgain(LOOK_AGAIN) : Step.of(effects);
    }

    private static boolean isPaused(RawObject workspace) {
        return "true".equals(workspace.meta().annotation(Marks.PAUSED));
    }

    private static boolean isQuiet(@Nullable RawObject workspace, Instant now) {
        if (workspace == null) {
            return true;
        }
        var state = new WorkspaceState(workspace);
        return isPaused(workspace)
                && !state.isRunning()
                && (state.isPauseSeen() || isSilent(workspace, now));
    }

    private static boolean isSilent(RawObject workspace, Instant now) {
        var since = workspace.meta().annotation(Marks.PAUSED_SINCE);
        try {
            return since != null && Instant.parse(since).plus(SILENCE).isBefore(now);
        } catch (DateTimeParseException _) {
            return true; // Somebody wrote there; the pause itself holds.
        }
    }

    /// Lets go of a Workspace that we paused.
    static Step release(RawObject workspace) {
        return workspace.meta().annotation(Marks.PAUSED_SINCE) == null
                ? Step.DONE
                : Step.of(
                        mark(
                                workspace,
                                new Tree()
                                        .putNothing(Marks.PAUSED)
                                        .putNothing(Marks.PAUSED_SINCE)));
    }

    private static Effect mark(RawObject workspace, Tree annotations) {
        return new Effect.Write(
                ObjectPatches.patch(
                        CaptTypes.WORKSPACE,
                        workspace,
                        Tree.of("metadata", Tree.of("annotations", annotations))));
    }

    private static Effect annotate(RawObject apply, Tree annotations) {
        return new Effect.Write(
                ObjectPatches.patch(
                        CaptTypes.APPLY,
                        apply,
                        Tree.of("metadata", Tree.of("annotations", annotations))));
    }
}
