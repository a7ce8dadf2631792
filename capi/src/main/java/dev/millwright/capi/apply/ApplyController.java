package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Pause;
import dev.millwright.capi.object.Reference;
import dev.millwright.capi.port.Secrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.grant.ReferencePolicy.To;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Makes the Workspace of an apply, follows it, and takes it away again.
///
/// The finalizer is there before the Workspace is: no order of events and no death of this process
/// leaves a Workspace whose apply is forgotten.
public final class ApplyController implements Controller {

    public static final String FINALIZER = "infrastructure.cluster.x-k8s.io/finalizer";

    private static final int AT_ONCE_MAX = 10;

    private final ClusterApi api;
    private final Secrets secrets;
    private final ReferencePolicy references;

    public ApplyController(ClusterApi api, Secrets secrets, ReferencePolicy references) {
        this.api = api;
        this.secrets = secrets;
        this.references = references;
    }

    @Override
    public String name() {
        return "workspacetemplateapply.workspace";
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE_MAX);
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(CaptTypes.APPLY, ApplyController::keysOfApply),
                new Watch<>(CaptTypes.WORKSPACE, ApplyController::keysOfWorkspace),
                new Watch<>(CaptTypes.WORKSPACE_TEMPLATE, ApplyController::keysOfTemplate),
                new Watch<>(api.cluster(), this::keysOfCluster));
    }

    /// One that goes may be what another that is being deleted waits for.
    private static List<ObjectName> keysOfApply(View view, Change<RawObject> change) {
        return change.isRemoval()
                ? applies(view, apply -> apply.meta().isDeleting())
                : List.of(change.name());
    }

    private static List<ObjectName> keysOfWorkspace(View view, Change<RawObject> change) {
        var keys = new ArrayList<>(Applies.of(view, change.latest()));
        if (isReady(change.before()) != isReady(change.after())) {
            var name = change.name().name();
            keys.addAll(applies(view, apply -> Applies.awaited(apply).contains(name)));
        }
        return keys;
    }

    private static boolean isReady(@Nullable RawObject workspace) {
        return workspace != null && new WorkspaceState(workspace).isReady();
    }

    private static List<ObjectName> keysOfTemplate(View view, Change<RawObject> change) {
        return applies(view, apply -> change.name().equals(Applies.templateName(apply)));
    }

    /// Its status changes often and says nothing to an apply.
    private List<ObjectName> keysOfCluster(View view, Change<RawObject> change) {
        if (isPaused(change.before()) == isPaused(change.after())) {
            return List.of();
        }
        return applies(
                view,
                apply ->
                        apply.name().namespace().equals(change.name().namespace())
                                && Applies.clusterName(view, api, apply)
                                        .equals(change.name().name()));
    }

    private static boolean isPaused(@Nullable RawObject cluster) {
        return cluster != null && cluster.spec().at("paused").isTrue();
    }

    private static List<ObjectName> applies(View view, Predicate<RawObject> which) {
        return view.cache(CaptTypes.APPLY).all().stream()
                .filter(which)
                .map(RawObject::name)
                .toList();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var apply = view.cache(CaptTypes.APPLY).find(key);
        if (apply == null) {
            return Step.DONE;
        }
        var named = Applies.named(view, apply);
        return named != null && Applies.isClaimed(apply, named)
                ? claimed(view, apply, named, now)
                : step(view, apply, Applies.workspace(view, apply), now);
    }

    /// A Workspace that CAPT made is taken up where namespaces trust each other; elsewhere it takes
    /// an administrator's mark.
    private Step claimed(View view, RawObject apply, RawObject workspace, Instant now) {
        return Step.of(
                new Effect.Ask<>(
                        "whether a Workspace without a mark is taken up",
                        Effect.Ask.Touch.READS,
                        () ->
                                references.refusal(
                                                ApplyReferences.from(apply),
                                                ApplyReferences.ofClaim(workspace))
                                        == null,
                        isTaken -> step(view, apply, isTaken ? workspace : null, now)));
    }

    private Step step(View view, RawObject apply, @Nullable RawObject workspace, Instant now) {
        if (Pause.holds(apply, Applies.cluster(view, api, apply))) {
            return ApplyPause.hold(apply, workspace, now);
        }
        if (apply.meta().isDeleting()) {
            return ApplyDeletion.of(view, apply, workspace, now);
        }
        var readiness = ApplyPause.prepare(apply, !Applies.clusterName(view, api, apply).isEmpty());
        if (readiness != null) {
            return readiness;
        }
        var released = workspace == null ? Step.DONE : ApplyPause.release(workspace);
        return released.followedBy(
                checked(
                        apply,
                        workspace,
                        ApplyReferences.ofSpec(apply),
                        now,
                        () -> allowed(view, apply, workspace, now)));
    }

    /// Goes on when the apply's variables are ones and all that is referred to may be: what is read
    /// and written for an apply is so with rights that its author need not have.
    private Step checked(
            RawObject apply,
            @Nullable RawObject workspace,
            List<To> referred,
            Instant now,
            Supplier<Step> then) {
        var invalid = Rendering.refusal(apply);
        if (invalid != null) {
            return ApplyStatus.refused(apply, workspace, "InvalidVariables", invalid, now);
        }
        var from = ApplyReferences.from(apply);
        if (referred.stream().noneMatch(from::isForeign)) {
            return then.get();
        }
        return Step.of(
                new Effect.Ask<>(
                        "references of an apply to other namespaces",
                        Effect.Ask.Touch.READS,
                        () -> Objects.requireNonNullElse(references.refusal(from, referred), ""),
                        why ->
                                why.isEmpty()
                                        ? then.get()
                                        : ApplyStatus.refused(
                                                apply, workspace, "ReferenceRefused", why, now)));
    }

    private Step allowed(View view, RawObject apply, @Nullable RawObject workspace, Instant now) {
        if (workspace != null) {
            return present(view, apply, workspace, now);
        }
        var foreign = Applies.named(view, apply);
        return foreign == null
                ? awaitSecrets(view, apply, now)
                : ApplyStatus.taken(apply, foreign, now);
    }

    private Step awaitSecrets(View view, RawObject apply, Instant now) {
        var wanted =
                apply.spec().at("waitForSecrets").elements().stream()
                        .map(Reference::of)
                        .filter(reference -> reference != null)
                        .map(reference -> reference.in(apply.name().namespace()))
                        .sorted()
                        .toList();
        if (wanted.isEmpty()) {
            return absent(view, apply, now);
        }
        return Step.of(
                new Effect.Ask<>(
                        "secrets an apply waits for",
                        Effect.Ask.Touch.READS,
                        () -> missing(wanted),
                        missing ->
                                missing.isEmpty()
                                        ? absent(view, apply, now)
                                        : ApplyStatus.waiting(
                                                apply,
                                                "WaitingForSecrets",
                                                "waits for the Secrets "
                                                        + String.join(", ", missing),
                                                now)));
    }

    private List<String> missing(List<ObjectName> wanted) {
        return wanted.stream()
                .filter(name -> !(secrets.read(name) instanceof Secrets.Answer.Found))
                .map(ObjectName::toString)
                .toList();
    }

    private Step absent(View view, RawObject apply, Instant now) {
        var rendering = Applies.rendering(view, apply);
        if (rendering == null) {
            return ApplyStatus.waiting(
                    apply,
                    "WaitingForTemplate",
                    "WorkspaceTemplate %s is not there, or has no spec.template.spec"
                            .formatted(Applies.templateName(apply)),
                    now);
        }
        var unready =
                Applies.awaited(apply).stream()
                        .filter(name -> !isReady(view.cache(CaptTypes.WORKSPACE).find(name)))
                        .sorted()
                        .toList();
        if (!unready.isEmpty()) {
            return ApplyStatus.waiting(
                    apply,
                    "WaitingForWorkspace",
                    "waits for the Workspaces %s to be ready".formatted(String.join(", ", unready)),
                    now);
        }
        return checked(
                apply,
                null,
                ApplyReferences.ofRendering(apply, rendering),
                now,
                () -> ApplyStatus.created(apply, rendering, now));
    }

    private Step present(View view, RawObject apply, RawObject workspace, Instant now) {
        var rendering = Applies.rendering(view, apply);
        return rendering == null
                        || workspace.meta().isDeleting()
                        || rendering.hash().equals(new WorkspaceState(workspace).hash())
                ? ApplyStatus.followed(apply, workspace, now)
                : checked(
                        apply,
                        workspace,
                        ApplyReferences.ofRendering(apply, rendering),
                        now,
                        () -> ApplyStatus.changed(apply, workspace, rendering, now));
    }
}
