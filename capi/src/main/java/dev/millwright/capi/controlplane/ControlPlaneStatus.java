package dev.millwright.capi.controlplane;

import dev.millwright.capi.controlplane.Progress.Report;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.Merge;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a CAPTControlPlane says of itself: the fields of both contracts of Cluster API from one
/// truth.
final class ControlPlaneStatus {

    private static final Duration WHEN_READY = Duration.ofSeconds(30);
    private static final Duration WHEN_NOT = Duration.ofSeconds(5);
    private static final Duration WHEN_FAILED = Duration.ofSeconds(10);

    private static final String READY = "Ready";
    private static final String PAUSED = "Paused";

    private final RawObject own;
    private final Instant now;

    ControlPlaneStatus(RawObject own, Instant now) {
        this.own = own;
        this.now = now;
    }

    static boolean isInitialized(RawObject own) {
        return own.status().at("initialized").isTrue();
    }

    private boolean hasSecrets() {
        return own.status().at("secretsReady").isTrue();
    }

    /// What the conditions say, in one place.
    private record Verdict(boolean isReady, String phase, String reason, String message) {}

    Step paused() {
        return Step.of(written(Tree.of(), with(own.conditions(), PAUSED, true, PAUSED, "")));
    }

    Step deleting(String message) {
        var conditions = with(unpaused(), READY, false, "Deleting", message);
        conditions = with(conditions, "Available", false, "Deleting", message);
        return Step.of(written(Tree.of("phase", "Deleting").put("ready", false), conditions))
                .thenAgain(WHEN_FAILED);
    }

    Step of(Report report) {
        var verdict = verdict(report.progress());
        var fields = fields(report, verdict);
        var effects = new ArrayList<Effect>();
        var before = own.conditions().find(READY);
        if (before == null
                || !before.reason().equals(verdict.reason())
                || (verdict.phase().equals("Failed")
                        && !before.message().equals(verdict.message()))) {
            effects.add(event(verdict));
        }
        effects.addAll(written(fields, conditions(report.progress(), verdict)));
        return Step.of(effects)
                .thenAgain(
                        switch (verdict.phase()) {
                            case "Ready" -> WHEN_READY;
                            case "Failed" -> WHEN_FAILED;
                            default -> WHEN_NOT;
                        });
    }

    private Verdict verdict(Progress progress) {
        return switch (progress) {
            case Progress.Waiting(var reason, var message) ->
                    new Verdict(false, "Creating", reason, message);
            case Progress.Failed(var reason, var message, _) ->
                    new Verdict(false, "Failed", reason, message);
            case Progress.Running running when running.error() != null ->
                    new Verdict(
                            hasSecrets(),
                            hasSecrets() ? READY : "Failed",
                            "WorkspaceError",
                            running.error());
            case Progress.Running _ -> hasSecrets() ? ready() : awaitingSecrets();
        };
    }

    /// The kubeconfig's loop tells what is wrong with it, if anything is.
    private Verdict ready() {
        var kubeconfig = own.conditions().find(ControlPlanes.KUBECONFIG_READY);
        return kubeconfig == null || kubeconfig.isTrue()
                ? new Verdict(true, READY, READY, "")
                : new Verdict(true, READY, "SecretError", kubeconfig.message());
    }

    private Verdict awaitingSecrets() {
        var kubeconfig = own.conditions().find(ControlPlanes.KUBECONFIG_READY);
        return kubeconfig == null || kubeconfig.reason().equals("Creating")
                ? new Verdict(false, "Creating", "Creating", "waits for the kubeconfig")
                : new Verdict(false, "Failed", "SecretError", kubeconfig.message());
    }

    private ConditionList conditions(Progress progress, Verdict verdict) {
        var isTrue = verdict.isReady() && verdict.reason().equals(READY);
        var isInitialized = isInitialized(own) || verdict.isReady();
        var isFailed =
                verdict.phase().equals("Failed") || verdict.reason().equals("WorkspaceError");
        var conditions = with(unpaused(), READY, isTrue, verdict.reason(), verdict.message());
        conditions =
                with(
                        conditions,
                        "Available",
                        verdict.isReady(),
                        verdict.isReady() ? "Available" : verdict.reason(),
                        verdict.isReady() ? "" : verdict.message());
        conditions =
                with(
                        conditions,
                        "Initialized",
                        isInitialized,
                        isInitialized ? "Initialized" : verdict.reason(),
                        "");
        conditions =
                with(
                        conditions,
                        "Failed",
                        isFailed,
                        isFailed ? verdict.reason() : "NotFailed",
                        isFailed ? verdict.message() : "");
        conditions =
                with(
                        conditions,
                        "Creating",
                        !isInitialized && !isFailed,
                        isInitialized ? READY : verdict.reason(),
                        "");
        var isRolling =
                isInitialized
                        && progress instanceof Progress.Running running
                        && !running.isSettled();
        return with(
                conditions,
                "RollingOut",
                isRolling,
                isRolling ? "RollingOut" : "NotRollingOut",
                "");
    }

    private Tree fields(Report report, Verdict verdict) {
        var fields =
                new Tree()
                        .put("ready", verdict.isReady())
                        .put("initialized", isInitialized(own) || verdict.isReady())
                        .put("externalManagedControlPlane", true)
                        .put("phase", verdict.phase());
        if (verdict.isReady()) {
            fields.put("initialization", new Tree().put("controlPlaneInitialized", true));
        }
        // EKS knows minors only; Cluster API waits for the very patch that it asked for.
        if (verdict.isReady()
                && report.progress() instanceof Progress.Running running
                && running.isSettled()) {
            fields.putUnlessEmpty("version", own.spec().at("version").text(""));
        }
        failure(fields, report.progress(), verdict);
        workspace(fields, report);
        return fields;
    }

    private void failure(Tree fields, Progress progress, Verdict verdict) {
        if (progress instanceof Progress.Failed(var reason, var message, var isTold) && isTold) {
            fields.put("failureReason", reason).put("failureMessage", message);
        } else if (verdict.reason().equals("SecretError") && !verdict.isReady()) {
            var kubeconfig = own.conditions().find(ControlPlanes.KUBECONFIG_READY);
            fields.put("failureReason", kubeconfig == null ? "SecretError" : kubeconfig.reason())
                    .put("failureMessage", verdict.message());
        } else {
            fields.putNothing("failureReason").putNothing("failureMessage");
        }
    }

    private void workspace(Tree fields, Report report) {
        var state = report.workspace();
        var apply = report.apply();
        if (state == null || apply == null) {
            return;
        }
        var summary =
                new Tree()
                        .put("ready", state.isAvailable())
                        .put("workspaceName", state.workspace().name().name())
                        .putUnlessEmpty("state", state.state())
                        .putUnlessEmpty(
                                "lastAppliedTime", apply.status().at("lastAppliedTime").text(""));
        var error = state.error();
        if (error == null) {
            summary.putNothing("lastFailedRevision").putNothing("lastFailureMessage");
            if (state.isReady()) {
                summary.putUnlessEmpty("lastAppliedRevision", state.hash());
            }
        } else {
            summary.putUnlessEmpty("lastFailedRevision", state.hash())
                    .put("lastFailureMessage", error);
        }
        var whole =
                new Tree().put("ready", state.isAvailable()).putUnlessEmpty("state", state.state());
        if (state.provider().value() instanceof Value.Mapping provider) {
            whole.put("atProvider", replaced("workspaceStatus", "atProvider", provider));
            if (provider.fields().get("outputs") instanceof Value.Mapping outputs) {
                summary.put("outputs", replaced("workspaceTemplateStatus", "outputs", outputs));
            }
        }
        fields.put("workspaceTemplateStatus", summary).put("workspaceStatus", whole);
    }

    /// An output that is gone goes here, too.
    private Value replaced(String part, String field, Value.Mapping after) {
        return Merge.replacement(own.status().at(part).at(field).value(), after);
    }

    private Effect event(Verdict verdict) {
        var subject = KubeEvent.Subject.of(CaptTypes.CONTROL_PLANE.type(), own);
        var message = verdict.message().isEmpty() ? verdict.reason() : verdict.message();
        var isBad = verdict.phase().equals("Failed") || verdict.reason().endsWith("Error");
        return new Effect.Publish(
                isBad
                        ? KubeEvent.warning(subject, verdict.reason(), message)
                        : KubeEvent.normal(subject, verdict.reason(), message));
    }

    /// Tells the Cluster where its API server is, and here when it would not hear.
    Effect endpoint(Kind<?> kind, RawObject cluster, Endpoint endpoint) {
        return new Effect.Write(
                ObjectPatches.patch(kind, cluster, endpoint.spec()),
                answer -> {
                    if (answer.isDone() || answer.isNotFound()) {
                        return Step.DONE;
                    }
                    if (answer.isConflict()) {
                        return Step.RETRY;
                    }
                    var failure =
                            Tree.of("failureReason", "EndpointUpdateFailed")
                                    .put("failureMessage", answer.explain());
                    return Step.of(new Effect.Write(unlocked(failure))).thenAgain(WHEN_FAILED);
                });
    }

    /// After other writes of the same step; it touches no list.
    private ApiWrite unlocked(Tree status) {
        return new ApiWrite.Patch(
                CaptTypes.CONTROL_PLANE.type(),
                own.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.STATUS,
                Tree.of("status", status).mapping());
    }

    private ConditionList unpaused() {
        return with(own.conditions(), PAUSED, false, "NotPaused", "");
    }

    private ConditionList with(
            ConditionList conditions, String type, boolean isTrue, String reason, String message) {
        return conditions.with(
                type,
                isTrue ? Status.TRUE : Status.FALSE,
                reason,
                message,
                own.meta().generation(),
                now);
    }

    private List<Effect> written(Tree fields, ConditionList conditions) {
        return ObjectPatches.statusIfChanged(
                CaptTypes.CONTROL_PLANE,
                own,
                fields.put("observedGeneration", own.meta().generation())
                        .put("conditions", conditions.value()));
    }
}
