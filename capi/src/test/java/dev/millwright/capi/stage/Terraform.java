package dev.millwright.capi.stage;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.testing.kit.step.StepRig;

import java.util.List;

/// Plays whoever runs Workspaces: it says what a run came to, without one.
public final class Terraform {

    private static final String FINALIZER = "finalizer.managedresource.crossplane.io";

    private final StepRig rig;

    Terraform(StepRig rig) {
        this.rig = rig;
    }

    /// A run that ended well, for the spec as it is.
    public void done(String workspace, Tree outputs) {
        take(workspace);
        var conditions =
                with(
                        with(
                                none(workspace, "Running"),
                                "Synced",
                                Status.TRUE,
                                "ReconcileSuccess",
                                ""),
                        "Ready",
                        Status.TRUE,
                        "Available",
                        "");
        status(workspace, conditions, new Tree().put("outputs", outputs));
    }

    /// A first run that goes on.
    public void creating(String workspace) {
        take(workspace);
        var conditions =
                with(
                        with(none(workspace, "x"), "Synced", Status.TRUE, "ReconcileSuccess", ""),
                        "Ready",
                        Status.FALSE,
                        "Creating",
                        "");
        status(workspace, conditions, new Tree());
    }

    public void failed(String workspace, String message) {
        take(workspace);
        status(
                workspace,
                with(none(workspace, "Running"), "Synced", Status.FALSE, "ReconcileError", message),
                new Tree());
    }

    public void running(String workspace, boolean isRunning) {
        status(
                workspace,
                isRunning
                        ? with(none(workspace, "x"), "Running", Status.TRUE, "Apply", "")
                        : none(workspace, "Running"),
                new Tree());
    }

    /// Whoever runs it has seen that it is paused.
    public void pauseSeen(String workspace) {
        status(
                workspace,
                with(none(workspace, "x"), "Synced", Status.FALSE, "ReconcilePaused", ""),
                new Tree());
    }

    /// All it made is destroyed.
    public void gone(String workspace) {
        rig.api().vanish(CaptTypes.WORKSPACE.type(), name(workspace));
    }

    private void take(String workspace) {
        if (!rig.find(CaptTypes.WORKSPACE, name(workspace)).meta().hasFinalizer(FINALIZER)) {
            write(
                    workspace,
                    ApiWrite.Subresource.NONE,
                    Tree.of("metadata", new Tree().putTextList("finalizers", List.of(FINALIZER))));
        }
    }

    private ConditionList none(String workspace, String but) {
        return rig.find(CaptTypes.WORKSPACE, name(workspace)).conditions().without(but);
    }

    private ConditionList with(
            ConditionList conditions, String type, Status status, String reason, String message) {
        return conditions.with(new Condition(type, status, reason, message, rig.now(), 0));
    }

    private void status(String workspace, ConditionList conditions, Tree provider) {
        var generation = rig.find(CaptTypes.WORKSPACE, name(workspace)).meta().generation();
        var seen =
                conditions.all().stream()
                        .map(
                                each ->
                                        new Condition(
                                                each.type(),
                                                each.status(),
                                                each.reason(),
                                                each.message(),
                                                each.changedAt(),
                                                generation))
                        .toList();
        write(
                workspace,
                ApiWrite.Subresource.STATUS,
                Tree.of(
                        "status",
                        new Tree()
                                .put("conditions", new ConditionList(seen).value())
                                .put("atProvider", provider)));
    }

    private void write(String workspace, ApiWrite.Subresource part, Tree body) {
        rig.api()
                .write(
                        new ApiWrite.Patch(
                                CaptTypes.WORKSPACE.type(),
                                name(workspace),
                                ApiWrite.PatchKind.MERGE,
                                part,
                                body.mapping()));
    }

    private static ObjectName name(String workspace) {
        return new ObjectName("", workspace);
    }
}
