package dev.millwright.capi.workspace;

import dev.millwright.capi.object.Merge;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What is to stand in the status and the metadata of one Workspace, as far as it is new.
final class WorkspaceStatus {

    private final Kind<RawObject> kind;
    private final RawObject workspace;
    private final Instant now;
    private ConditionList conditions;
    private Value.@Nullable Mapping atProvider;
    private boolean isMoveBlocked;

    /// As it stands, but for the signs of a run that goes on.
    WorkspaceStatus(Kind<RawObject> kind, RawObject workspace, Instant now) {
        this.kind = kind;
        this.workspace = workspace;
        this.now = now;
        this.conditions = workspace.conditions().without(WorkspaceMarks.RUNNING);
    }

    /// @param generation of the spec that Terraform has carried out: who waits for a change must
    ///   not take the condition of the spec before for its own
    WorkspaceStatus synced(String reason, long generation) {
        return with(WorkspaceMarks.SYNCED, Status.TRUE, reason, "", generation);
    }

    WorkspaceStatus notSynced(String reason, String message) {
        return with(WorkspaceMarks.SYNCED, Status.FALSE, reason, message);
    }

    WorkspaceStatus ready(long generation) {
        return with(WorkspaceMarks.READY, Status.TRUE, "Available", "", generation);
    }

    WorkspaceStatus notReady(String reason) {
        return with(WorkspaceMarks.READY, Status.FALSE, reason, "");
    }

    WorkspaceStatus running(TerraformRuns.Progress progress) {
        isMoveBlocked = true;
        return with(
                WorkspaceMarks.RUNNING, Status.TRUE, progress.phase().reason(), progress.message());
    }

    private WorkspaceStatus with(String type, Status status, String reason, String message) {
        return with(type, status, reason, message, workspace.meta().generation());
    }

    private WorkspaceStatus with(
            String type, Status status, String reason, String message, long generation) {
        conditions = conditions.with(type, status, reason, message, generation, now);
        return this;
    }

    WorkspaceStatus provided(RunOutcome.Result.Settled settled) {
        var outputs = Tree.of();
        settled.outputs()
                .forEach(
                        (name, output) -> {
                            if (!output.isSensitive()) {
                                outputs.put(name, output.value());
                            }
                        });
        atProvider =
                Tree.of("checksum", settled.checksum()).put("outputs", outputs.mapping()).mapping();
        return this;
    }

    boolean isReady() {
        return conditions.isTrue(WorkspaceMarks.READY);
    }

    /// Nothing where everything stands there already.
    List<Effect> effects() {
        var effects = new ArrayList<Effect>();
        var status = Tree.of();
        if (!conditions.equals(workspace.conditions())) {
            status.put("conditions", conditions.value());
        }
        if (atProvider != null) {
            var present = workspace.status().at("atProvider");
            var change = Merge.replacement(present.value(), atProvider);
            if (Merge.changes(present, change)) {
                status.put("atProvider", change);
            }
        }
        if (!status.isEmpty()) {
            effects.add(
                    patch(
                            ApiWrite.Subresource.STATUS,
                            Tree.of("metadata", workspace.meta().locked()).put("status", status)));
        }
        var isBlocked = workspace.meta().annotation(WorkspaceMarks.BLOCK_MOVE) != null;
        if (isBlocked != isMoveBlocked) {
            var annotations = Tree.of();
            if (isMoveBlocked) {
                annotations.put(WorkspaceMarks.BLOCK_MOVE, "");
            } else {
                annotations.putNothing(WorkspaceMarks.BLOCK_MOVE);
            }
            effects.add(
                    patch(
                            ApiWrite.Subresource.NONE,
                            Tree.of("metadata", Tree.of("annotations", annotations))));
        }
        return effects;
    }

    private Effect patch(ApiWrite.Subresource subresource, Tree body) {
        return new Effect.Write(
                new ApiWrite.Patch(
                        kind.type(),
                        workspace.name(),
                        ApiWrite.PatchKind.MERGE,
                        subresource,
                        body.mapping()));
    }
}
