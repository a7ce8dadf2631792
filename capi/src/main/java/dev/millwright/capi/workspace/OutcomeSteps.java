package dev.millwright.capi.workspace;

import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns.Phase;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What follows from the end of a run: the status, the secret, events, and when to run again. The
/// outcome is taken away only once all of it is written.
final class OutcomeSteps {

    private static final int SHOWN_MAX = 5;

    private final WorkspaceKinds kinds;
    private final WorkspaceSettings settings;
    private final WorkspaceController.Ports ports;
    private final WorkspaceMemory memory;

    OutcomeSteps(
            WorkspaceKinds kinds,
            WorkspaceSettings settings,
            WorkspaceController.Ports ports,
            WorkspaceMemory memory) {
        this.kinds = kinds;
        this.settings = settings;
        this.ports = ports;
        this.memory = memory;
    }

    Step ended(RawObject workspace, RunOutcome outcome, Instant now) {
        var step = step(workspace, outcome, now);
        if (outcome.doubtful().isEmpty()) {
            return step;
        }
        return Step.of(
                        new Effect.Publish(
                                KubeEvent.warning(
                                        KubeEvent.Subject.of(kinds.workspace().type(), workspace),
                                        "LeftInDoubt",
                                        "Terraform was killed while it created %s; look whether that is there without being in the state"
                                                .formatted(
                                                        String.join(
                                                                ", ",
                                                                outcome.doubtful().stream()
                                                                        .limit(SHOWN_MAX)
                                                                        .toList())))))
                .followedBy(step);
    }

    private Step step(RawObject workspace, RunOutcome outcome, Instant now) {
        return switch (outcome.result()) {
            case Result.Settled settled -> settled(workspace, outcome, settled, now);
            case Result.Destroyed() -> destroyed(workspace);
            case Result.Failed(var phase, var message) ->
                    told(
                            workspace,
                            outcome,
                            phase,
                            "%s failed: %s"
                                    .formatted(phase.reason().toLowerCase(Locale.ROOT), message),
                            now);
            case Result.Held(var holder) ->
                    told(
                            workspace,
                            outcome,
                            Phase.WAITING,
                            "the state is locked by %s; tried again until it is free"
                                    .formatted(holder),
                            now);
            case Result.Interrupted(_) ->
                    Step.of(status(workspace, now).effects())
                            .followedBy(Step.of(settle(workspace)))
                            .thenAgain(Duration.ZERO);
        };
    }

    private WorkspaceStatus status(RawObject workspace, Instant now) {
        return new WorkspaceStatus(kinds.workspace(), workspace, now);
    }

    private Effect settle(RawObject workspace) {
        return new Effect.Remember(
                "outcome of a run is written", () -> ports.runs().settle(workspace.meta().uid()));
    }

    private Effect note(RawObject workspace, WorkspaceMemory.Last last) {
        return new Effect.Remember(
                "when a workspace was run", () -> memory.note(workspace.meta().uid(), last));
    }

    private Step settled(
            RawObject workspace, RunOutcome outcome, Result.Settled settled, Instant now) {
        if (workspace.meta().isDeleting()) {
            return Step.of(settle(workspace)).thenAgain(Duration.ZERO);
        }
        var secret = ConnectionSecret.of(kinds.workspace(), workspace, settled.outputs());
        if (secret == null) {
            return written(workspace, outcome, settled, now);
        }
        return Step.of(
                new Effect.Ask<>(
                        "connection secret",
                        Effect.Ask.Touch.READS,
                        () -> ports.secrets().read(secret.name()),
                        found -> {
                            var refusal = secret.refusal(found);
                            return refusal == null
                                    ? secret.write(found)
                                            .followedBy(written(workspace, outcome, settled, now))
                                    : told(workspace, outcome, Phase.PLAN, refusal, now);
                        }));
    }

    private Step written(
            RawObject workspace, RunOutcome outcome, Result.Settled settled, Instant now) {
        if (!settled.exists() && settled.differs()) {
            return told(
                    workspace,
                    outcome,
                    Phase.PLAN,
                    "nothing exists yet, and managementPolicies do not allow to create it",
                    now);
        }
        var generation = outcome.generation();
        var status =
                status(workspace, now).provided(settled).synced("ReconcileSuccess", generation);
        if (!settled.differs()) {
            status.ready(generation);
        }
        var effects = new ArrayList<>(status.effects());
        effects.addAll(events(workspace, settled));
        effects.add(
                note(
                        workspace,
                        new WorkspaceMemory.Last(
                                outcome.generation(), false, outcome.endedAt(), 0)));
        effects.add(settle(workspace));
        return Step.of(effects)
                .thenAgain(
                        outcome.generation() == workspace.meta().generation()
                                ? settings.pollOf(workspace.name())
                                : Duration.ZERO);
    }

    private List<Effect> events(RawObject workspace, Result.Settled settled) {
        var events = new ArrayList<Effect>();
        var subject = KubeEvent.Subject.of(kinds.workspace().type(), workspace);
        if (!settled.drifted().isEmpty()) {
            var shown = settled.drifted().stream().limit(SHOWN_MAX).toList();
            var more = settled.drifted().size() - shown.size();
            events.add(
                    new Effect.Publish(
                            KubeEvent.warning(
                                    subject,
                                    "DriftDetected",
                                    "changed outside of Terraform: %s%s"
                                            .formatted(
                                                    String.join(", ", shown),
                                                    more > 0
                                                            ? " and %d more".formatted(more)
                                                            : ""))));
        }
        switch (settled.change()) {
            case NONE -> {
                // Nothing happened that anybody must hear of.
            }
            case CREATED ->
                    events.add(
                            new Effect.Publish(
                                    KubeEvent.normal(
                                            subject,
                                            "CreatedExternalResource",
                                            settled.summary())));
            case UPDATED ->
                    events.add(
                            new Effect.Publish(
                                    KubeEvent.normal(
                                            subject,
                                            "UpdatedExternalResource",
                                            settled.summary())));
        }
        return events;
    }

    private Step destroyed(RawObject workspace) {
        if (!workspace.meta().isDeleting()) {
            return Step.of(settle(workspace)).thenAgain(Duration.ZERO);
        }
        var told =
                new Effect.Publish(
                        KubeEvent.normal(
                                KubeEvent.Subject.of(kinds.workspace().type(), workspace),
                                "DeletedExternalResource",
                                "Terraform destroyed everything in the state"));
        return Step.of(told).followedBy(drop(workspace)).followedBy(Step.of(settle(workspace)));
    }

    /// Lets the object go; its usage goes first, so that its config is free.
    Step drop(RawObject workspace) {
        var effects = new ArrayList<Effect>();
        var usage = kinds.usage();
        if (usage != null) {
            effects.add(
                    new Effect.Write(
                            new ApiWrite.Delete(
                                    usage.type(),
                                    new ObjectName("", workspace.meta().uid()),
                                    null,
                                    null),
                            Answers::deleted));
        }
        var left =
                workspace.meta().finalizers().stream()
                        .filter(each -> !each.equals(WorkspaceMarks.FINALIZER))
                        .toList();
        effects.add(
                new Effect.Write(
                        new ApiWrite.Patch(
                                kinds.workspace().type(),
                                workspace.name(),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Tree.of(
                                                "metadata",
                                                workspace
                                                        .meta()
                                                        .locked()
                                                        .putTextList("finalizers", left))
                                        .mapping()),
                        Answers::deleted));
        return Step.of(effects);
    }

    /// A run that ended badly.
    private Step told(
            RawObject workspace, RunOutcome outcome, Phase phase, String message, Instant now) {
        var isDestroy = phase == Phase.DESTROY || workspace.meta().isDeleting();
        return failed(workspace, outcome.generation(), message, isDestroy, now)
                .followedBy(Step.of(settle(workspace)))
                .thenAgain(wait(workspace, outcome.generation(), isDestroy));
    }

    /// Before a run could begin.
    Step failed(RawObject workspace, String message, boolean isDestroy, Instant now) {
        var generation = workspace.meta().generation();
        return failed(workspace, generation, message, isDestroy, now)
                .thenAgain(wait(workspace, generation, isDestroy));
    }

    private Duration wait(RawObject workspace, long generation, boolean isDestroy) {
        return settings.backoff(
                memory.failuresAfter(workspace.meta().uid(), generation, isDestroy));
    }

    private Step failed(
            RawObject workspace, long generation, String message, boolean isDestroy, Instant now) {
        var uid = workspace.meta().uid();
        var status = status(workspace, now).notSynced("ReconcileError", message);
        if (workspace.meta().isDeleting()) {
            status.notReady("Deleting");
        }
        var effects = new ArrayList<>(status.effects());
        effects.add(
                new Effect.Publish(
                        KubeEvent.warning(
                                KubeEvent.Subject.of(kinds.workspace().type(), workspace),
                                isDestroy
                                        ? "CannotDeleteExternalResource"
                                        : "CannotUpdateExternalResource",
                                message)));
        effects.add(
                note(
                        workspace,
                        new WorkspaceMemory.Last(
                                generation,
                                isDestroy,
                                now,
                                memory.failuresAfter(uid, generation, isDestroy))));
        return Step.of(effects);
    }
}
