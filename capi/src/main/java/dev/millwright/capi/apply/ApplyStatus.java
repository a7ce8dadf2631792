package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Merge;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// How an apply goes on from where it is, and what it says about it.
final class ApplyStatus {

    static final Duration FOLLOW_EVERY = Duration.ofSeconds(10);

    private static final Duration WAIT = Duration.ofSeconds(30);

    /// A cluster takes a quarter of an hour: the same word every two minutes tells nobody more.
    private static final Duration SAID_AGAIN_AFTER = Duration.ofMinutes(10);

    private static final String PAUSED = "Paused";

    private ApplyStatus() {}

    static Effect say(RawObject apply, String reason, String message) {
        return say(KubeEvent.Type.NORMAL, apply, reason, message);
    }

    private static Effect say(KubeEvent.Type type, RawObject apply, String reason, String message) {
        var subject = KubeEvent.Subject.of(CaptTypes.APPLY.type(), apply);
        var event =
                switch (type) {
                    case NORMAL -> KubeEvent.normal(subject, reason, message);
                    case WARNING -> KubeEvent.warning(subject, reason, message);
                };
        return new Effect.Publish(
                event.dedupedBy(List.of(apply.meta().uid(), message), SAID_AGAIN_AFTER));
    }

    /// Nothing is made yet, and this is why.
    static Step waiting(RawObject apply, String reason, String message, Instant now) {
        var conditions =
                with(
                        conditions(apply, null, now),
                        apply,
                        WorkspaceState.READY,
                        Status.FALSE,
                        reason,
                        message,
                        now);
        var effects = new ArrayList<Effect>();
        effects.add(say(apply, reason, message));
        effects.addAll(written(apply, Tree.of(), conditions));
        return Step.of(effects).thenAgain(WAIT);
    }

    /// The kind has no namespaces: another apply's Workspace may have our name.
    static Step taken(RawObject apply, RawObject foreign, Instant now) {
        var mark = foreign.meta().annotation(Marks.APPLY);
        var message =
                mark == null
                        ? "Workspace %s belongs to somebody who left no mark; give this apply another name, or have an administrator annotate the Workspace with %s=%s if this apply made it"
                                .formatted(foreign.name().name(), Marks.APPLY, apply.name())
                        : "Workspace %s belongs to WorkspaceTemplateApply %s; give this apply another name"
                                .formatted(foreign.name().name(), mark);
        return refused(apply, null, "WorkspaceTaken", message, now);
    }

    /// What it asks for is not done. A Workspace that was made before stays as it is.
    static Step refused(
            RawObject apply,
            @Nullable RawObject workspace,
            String reason,
            String message,
            Instant now) {
        var conditions = conditions(apply, workspace, now);
        for (var type : List.of(WorkspaceState.SYNCED, WorkspaceState.READY)) {
            conditions = with(conditions, apply, type, Status.FALSE, reason, message, now);
        }
        var effects = new ArrayList<Effect>();
        effects.add(say(KubeEvent.Type.WARNING, apply, reason, message));
        effects.addAll(written(apply, Tree.of(), conditions));
        return Step.of(effects).thenAgain(WAIT);
    }

    /// Values used to be put into modules as well, and still are by CAPT.
    private static List<Effect> warning(RawObject apply, Rendering rendering) {
        var key = rendering.placeholder();
        return key == null
                ? List.of()
                : List.of(
                        say(
                                KubeEvent.Type.WARNING,
                                apply,
                                "PlaceholderInModule",
                                "the module has ${%s}, and values are never put into modules; list it under forProvider.vars and write ${var.%s}"
                                        .formatted(key, key)));
    }

    static Step created(RawObject apply, Rendering rendering, Instant now) {
        var name = Applies.workspaceName(apply.name().name());
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Write(
                        new ApiWrite.Create(
                                CaptTypes.WORKSPACE.type(),
                                "",
                                Tree.of("apiVersion", CaptTypes.WORKSPACE.type().apiVersion())
                                        .put("kind", CaptTypes.WORKSPACE.type().kind())
                                        .put(
                                                "metadata",
                                                metadata(apply, rendering).put("name", name))
                                        .put("spec", rendering.spec())
                                        .mapping())));
        effects.add(say(apply, "CreatedWorkspace", "created Workspace " + name));
        effects.addAll(warning(apply, rendering));
        effects.addAll(written(apply, applied(name, now), conditions(apply, null, now)));
        return Step.of(effects).thenAgain(FOLLOW_EVERY);
    }

    /// The template or a variable is another one than the Workspace was made of.
    static Step changed(RawObject apply, RawObject workspace, Rendering rendering, Instant now) {
        var name = workspace.name().name();
        var patch =
                Tree.of("metadata", metadata(apply, rendering))
                        .put("spec", Merge.replacement(workspace.spec().value(), rendering.spec()));
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Write(ObjectPatches.patch(CaptTypes.WORKSPACE, workspace, patch)));
        effects.add(say(apply, "UpdatedWorkspace", "changed Workspace " + name));
        effects.addAll(warning(apply, rendering));
        effects.addAll(written(apply, applied(name, now), conditions(apply, workspace, now)));
        return Step.of(effects).thenAgain(FOLLOW_EVERY);
    }

    private static Tree metadata(RawObject apply, Rendering rendering) {
        var metadata =
                Tree.of(
                        "annotations",
                        Tree.of(Marks.APPLY, apply.name().toString())
                                .put(Marks.RENDERED_HASH, rendering.hash()));
        var cluster = apply.meta().label(ClusterApi.CLUSTER_NAME);
        return cluster.isEmpty()
                ? metadata
                : metadata.put("labels", Tree.of(ClusterApi.CLUSTER_NAME, cluster));
    }

    private static Tree applied(String workspace, Instant now) {
        return Tree.of("workspaceName", workspace)
                .put("applied", true)
                .put("lastAppliedTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    static Step followed(RawObject apply, RawObject workspace, Instant now) {
        var state = new WorkspaceState(workspace);
        var name = workspace.name().name();
        var effects = new ArrayList<Effect>();
        var isNews = !apply.conditions().isTrue(WorkspaceState.READY);
        if (!state.isReady()) {
            effects.add(
                    state.isSynced()
                            ? say(
                                    apply,
                                    "WaitingForReady",
                                    "waits for Workspace %s to be ready".formatted(name))
                            : say(
                                    apply,
                                    "WaitingForSync",
                                    "waits for Workspace %s to be in step".formatted(name)));
        } else if (isNews) {
            effects.add(say(apply, "WorkspaceReady", "Workspace %s is ready".formatted(name)));
        }
        var error = state.error();
        if (error != null && !error.equals(errorBefore(apply))) {
            effects.add(say(KubeEvent.Type.WARNING, apply, "WorkspaceFailed", error));
        }
        // After a move the status is empty, though all has been applied.
        var fields =
                apply.status().at("applied").isTrue()
                                && apply.status().at("workspaceName").text("").equals(name)
                        ? Tree.of()
                        : applied(name, now);
        effects.addAll(written(apply, fields, conditions(apply, workspace, now)));
        return state.isReady() ? Step.of(effects) : Step.of(effects).thenAgain(FOLLOW_EVERY);
    }

    private static @Nullable String errorBefore(RawObject apply) {
        return new WorkspaceState(apply).error();
    }

    /// What a Workspace says while it goes.
    static List<Effect> copied(RawObject apply, RawObject workspace, Instant now) {
        return written(apply, Tree.of(), conditions(apply, workspace, now));
    }

    private static List<Effect> written(RawObject apply, Tree fields, ConditionList conditions) {
        return ObjectPatches.statusIfChanged(
                CaptTypes.APPLY, apply, fields.put("conditions", conditions.value()));
    }

    /// All that the Workspace says; of our own, that we are no longer paused.
    private static ConditionList conditions(
            RawObject apply, @Nullable RawObject workspace, Instant now) {
        var conditions = copies(apply, workspace, now);
        return apply.conditions().find(PAUSED) == null
                ? conditions
                : with(conditions, apply, PAUSED, Status.FALSE, "NotPaused", "", now);
    }

    static ConditionList paused(RawObject apply, @Nullable RawObject workspace, Instant now) {
        return with(copies(apply, workspace, now), apply, PAUSED, Status.TRUE, PAUSED, "", now);
    }

    private static ConditionList copies(
            RawObject apply, @Nullable RawObject workspace, Instant now) {
        var conditions = ConditionList.NONE;
        if (workspace == null) {
            return conditions;
        }
        for (var each : workspace.conditions().all()) {
            conditions = conditions.with(copy(each));
        }
        // Ready is what it is for the spec that was asked for, not for the one before.
        return conditions.isTrue(WorkspaceState.READY) && !new WorkspaceState(workspace).isReady()
                ? with(
                        conditions,
                        apply,
                        WorkspaceState.READY,
                        Status.FALSE,
                        "Updating",
                        "Terraform has not run for the changed spec yet",
                        now)
                : conditions;
    }

    /// The time is that of the apply's own condition, as long as it says the same.
    private static ConditionList with(
            ConditionList conditions,
            RawObject apply,
            String type,
            Status status,
            String reason,
            String message,
            Instant now) {
        var before = apply.conditions().find(type);
        var since = before != null && before.status() == status ? before.changedAt() : now;
        return conditions.with(new Condition(type, status, reason, message, since, 0));
    }

    /// Without the generation that was seen, which is the Workspace's and not the apply's.
    private static Condition copy(Condition condition) {
        return new Condition(
                condition.type(),
                condition.status(),
                condition.reason(),
                WorkspaceState.shortened(condition.message()),
                condition.changedAt(),
                0);
    }
}
