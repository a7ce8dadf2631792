package dev.millwright.capi.workspace;

import dev.millwright.capi.object.WorkspaceOrigin;
import dev.millwright.capi.object.WorkspaceReferences;
import dev.millwright.capi.port.Secrets;
import dev.millwright.capi.workspace.TerraformRuns.Goal;
import dev.millwright.capi.workspace.TerraformRuns.Look;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Orders the runs of Workspaces and tells what came of them.
///
/// A run goes on beside the loop. Each step looks at it and does what is next: wait, take the
/// outcome, or order another. Nothing but the outcome of a run is remembered, so a process that
/// takes over orders a plan and goes on from what that finds.
public final class WorkspaceController implements Controller {

    /// When somebody else runs Workspaces, to see whether he still does.
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    private static final int KEYS_AT_ONCE = 10;

    private final WorkspaceKinds kinds;
    private final WorkspaceSettings settings;
    private final Ports ports;
    private final WorkspaceMemory memory;
    private final OutcomeSteps outcomes;
    private final ConfigUsages usages;

    /// What steps ask besides their caches.
    ///
    /// @param references whether a Workspace of a namespace may refer to another one
    public record Ports(
            TerraformRuns runs,
            Inputs inputs,
            Secrets secrets,
            Ownership ownership,
            ReferencePolicy references) {}

    public WorkspaceController(
            WorkspaceKinds kinds, WorkspaceSettings settings, Ports ports, WorkspaceMemory memory) {
        this.kinds = kinds;
        this.settings = settings;
        this.ports = ports;
        this.memory = memory;
        this.outcomes = new OutcomeSteps(kinds, settings, ports, memory);
        this.usages = new ConfigUsages(kinds);
    }

    @Override
    public String name() {
        return kinds.controller();
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(kinds.workspace()));
    }

    @Override
    public Pace pace() {
        return Pace.of(KEYS_AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        if (view.cache(kinds.workspace()).find(key) == null) {
            return Step.DONE;
        }
        return Step.of(
                new Effect.Ask<>(
                        "whose workspaces are",
                        Effect.Ask.Touch.READS,
                        ports.ownership()::now,
                        answer ->
                                switch (answer) {
                                    case Ownership.Answer.Theirs(_) -> Step.again(LOOK_AGAIN);
                                    case Ownership.Answer.Ours() -> ours(view, key, now);
                                }));
    }

    private Step ours(View view, ObjectName key, Instant now) {
        var workspace = view.cache(kinds.workspace()).find(key);
        if (workspace == null) {
            return Step.DONE;
        }
        var uid = workspace.meta().uid();
        return Step.of(
                new Effect.Ask<>(
                        "run of workspace",
                        Effect.Ask.Touch.READS,
                        () -> ports.runs().look(uid),
                        look -> looked(view, workspace, look, now)));
    }

    private Step looked(View view, RawObject workspace, Look look, Instant now) {
        return switch (look) {
            case Look.Running(var progress) -> running(workspace, progress, now);
            case Look.Ended(var outcome) -> outcomes.ended(workspace, outcome, now);
            case Look.Idle() -> idle(view, workspace, now);
        };
    }

    private Step running(RawObject workspace, TerraformRuns.Progress progress, Instant now) {
        var status = new WorkspaceStatus(kinds.workspace(), workspace, now).running(progress);
        if (progress.goal() == Goal.DESTRUCTION) {
            status.notReady("Deleting");
        } else if (progress.goal() == Goal.CREATION && !status.isReady()) {
            status.notReady("Creating");
        }
        var effects = new ArrayList<>(status.effects());
        if (workspace.meta().isDeleting()
                && progress.goal() != Goal.DESTRUCTION
                && !WorkspaceMarks.isPaused(workspace)) {
            effects.add(
                    new Effect.Ask<>(
                            "interrupt the run of a workspace that is deleted",
                            Effect.Ask.Touch.CHANGES,
                            () -> {
                                ports.runs().interrupt(workspace.meta().uid());
                                return true;
                            },
                            _ -> Step.DONE));
        }
        return Step.of(effects).thenAgain(LOOK_AGAIN);
    }

    private Step idle(View view, RawObject workspace, Instant now) {
        var status = new WorkspaceStatus(kinds.workspace(), workspace, now);
        var policies = Policies.of(workspace);
        if (WorkspaceMarks.isPaused(workspace) || policies.isPause()) {
            var why =
                    policies.isPause()
                            ? "managementPolicies are empty"
                            : "annotation " + WorkspaceMarks.PAUSED;
            return Step.of(status.notSynced("ReconcilePaused", why).effects());
        }
        if (workspace.meta().isDeleting()) {
            return deleting(view, workspace, policies, now);
        }
        if (!isMarked(workspace)) {
            return Step.of(mark(workspace)); // Which is a change, and brings us here again.
        }
        var usage = usages.missing(view, workspace);
        if (usage != null) {
            return Step.of(usage, new Effect.Enqueue(name(), workspace.name()));
        }
        var wait = untilDue(workspace, false, now);
        if (wait != null) {
            return Step.of(status.effects()).thenAgain(wait);
        }
        return begin(view, workspace, policies.aim(), now);
    }

    private Step deleting(View view, RawObject workspace, Policies policies, Instant now) {
        if (!workspace.meta().hasFinalizer(WorkspaceMarks.FINALIZER)) {
            return Step.DONE;
        }
        if (!policies.destroys()) {
            return outcomes.drop(workspace);
        }
        var wait = untilDue(workspace, true, now);
        return wait != null ? Step.again(wait) : begin(view, workspace, RunOrder.Aim.DESTROY, now);
    }

    private static boolean isMarked(RawObject workspace) {
        return workspace.meta().hasFinalizer(WorkspaceMarks.FINALIZER)
                && workspace.meta().annotation(WorkspaceMarks.EXTERNAL_NAME) != null;
    }

    private Effect mark(RawObject workspace) {
        var finalizers = new ArrayList<>(workspace.meta().finalizers());
        if (!finalizers.contains(WorkspaceMarks.FINALIZER)) {
            finalizers.add(WorkspaceMarks.FINALIZER);
        }
        var metadata =
                workspace
                        .meta()
                        .locked()
                        .putTextList("finalizers", finalizers)
                        .put(
                                "annotations",
                                Tree.of(
                                        WorkspaceMarks.EXTERNAL_NAME,
                                        OrderDraft.externalName(workspace)));
        return new Effect.Write(
                new ApiWrite.Patch(
                        kinds.workspace().type(),
                        workspace.name(),
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        Tree.of("metadata", metadata).mapping()));
    }

    /// Null when a run is due.
    private @Nullable Duration untilDue(RawObject workspace, boolean isDestroy, Instant now) {
        var last = memory.last(workspace.meta().uid());
        if (last == null
                || last.generation() != workspace.meta().generation()
                || last.isDestroy() != isDestroy) {
            return null;
        }
        var wait =
                last.failures() == 0
                        ? settings.pollOf(workspace.name())
                        : settings.backoff(last.failures());
        var due = last.at().plus(wait);
        return due.isAfter(now) ? Duration.between(now, due) : null;
    }

    private Step begin(View view, RawObject workspace, RunOrder.Aim aim, Instant now) {
        var config = usages.config(view, workspace);
        if (config == null) {
            return outcomes.failed(
                    workspace,
                    "%s is not there; create it, or name another in providerConfigRef"
                            .formatted(usages.describe(workspace)),
                    aim.mayDestroy(),
                    now);
        }
        var draft = new OrderDraft(kinds, workspace, config);
        return Step.of(
                new Effect.Ask<>(
                        "inputs of workspace",
                        Effect.Ask.Touch.READS,
                        () -> finished(draft, workspace, config, aim),
                        finished ->
                                switch (finished) {
                                    case OrderDraft.Finished.Lacking(var why) ->
                                            outcomes.failed(workspace, why, aim.mayDestroy(), now);
                                    case OrderDraft.Finished.Ready(var order) -> start(order);
                                }));
    }

    /// Nothing is read before it is known that its reader may refer to it.
    private OrderDraft.Finished finished(
            OrderDraft draft, RawObject workspace, RawObject config, RunOrder.Aim aim) {
        var refusal = refusal(draft, workspace, config);
        if (refusal != null) {
            return new OrderDraft.Finished.Lacking(refusal);
        }
        var answers =
                draft.needs().stream().map(need -> ports.inputs().read(need.source())).toList();
        return draft.finish(answers, aim);
    }

    private @Nullable String refusal(OrderDraft draft, RawObject workspace, RawObject config) {
        var origin = WorkspaceOrigin.of(workspace);
        var allowed = ConfigUsages.refusal(config, origin.namespace());
        if (allowed != null) {
            return allowed;
        }
        var references = ports.references();
        var refusal =
                references.refusal(
                        origin,
                        WorkspaceReferences.of(workspace.spec(), workspace.name().namespace()));
        return refusal != null
                ? refusal
                : references.refusal(
                        ConfigUsages.from(config), draft.credentials(config.name().namespace()));
    }

    private Step start(RunOrder order) {
        return Step.of(
                new Effect.Ask<>(
                        "run terraform",
                        Effect.Ask.Touch.CHANGES,
                        () -> {
                            ports.runs().start(order);
                            return true;
                        },
                        _ -> Step.again(LOOK_AGAIN)));
    }
}
