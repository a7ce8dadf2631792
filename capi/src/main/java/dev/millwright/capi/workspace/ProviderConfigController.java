package dev.millwright.capi.workspace;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Keeps a config for as long as a Workspace uses it: what was built with it could not be destroyed
/// without.
public final class ProviderConfigController implements Controller {

    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    /// Another config may be named: the one named before hears of it by looking.
    private static final Duration LOOK_WHILE_DELETED = Duration.ofSeconds(10);

    private final WorkspaceKinds kinds;
    private final Kind<RawObject> kind;
    private final ConfigUsages usages;
    private final Ownership ownership;

    /// @param kind one of the group's kinds of configs
    public ProviderConfigController(
            WorkspaceKinds kinds, Kind<RawObject> kind, Ownership ownership) {
        this.kinds = kinds;
        this.kind = kind;
        this.usages = new ConfigUsages(kinds);
        this.ownership = ownership;
    }

    @Override
    public String name() {
        return "%s.%s".formatted(kinds.controller(), kind.type().kind().toLowerCase(Locale.ROOT));
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                Watch.own(kind),
                new Watch<>(kinds.workspace(), (_, change) -> usages.keys(kind, change.latest())));
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        if (view.cache(kind).find(key) == null) {
            return Step.DONE;
        }
        return Step.of(
                new Effect.Ask<>(
                        "whose workspaces are",
                        Effect.Ask.Touch.READS,
                        ownership::now,
                        answer ->
                                switch (answer) {
                                    case Ownership.Answer.Theirs(_) -> Step.again(LOOK_AGAIN);
                                    case Ownership.Answer.Ours() -> ours(view, key);
                                }));
    }

    private Step ours(View view, ObjectName key) {
        var config = view.cache(kind).find(key);
        if (config == null) {
            return Step.DONE;
        }
        var users =
                view.cache(kinds.workspace()).all().stream()
                        .filter(workspace -> usages.isUsed(kind, key, workspace))
                        .map(workspace -> workspace.name().toString())
                        .sorted()
                        .toList();
        var effects = new ArrayList<Effect>();
        var shown = config.status().at("users").whole(0, Integer.MAX_VALUE);
        if (shown == null || shown != users.size()) {
            effects.add(
                    patch(
                            config,
                            ApiWrite.Subresource.STATUS,
                            Tree.of("status", Tree.of().put("users", users.size()))));
        }
        var isHeld = config.meta().hasFinalizer(WorkspaceMarks.CONFIG_FINALIZER);
        if (!config.meta().isDeleting()) {
            if (!isHeld) {
                effects.add(finalizers(config, true));
            }
            return Step.of(effects);
        }
        if (users.isEmpty()) {
            if (isHeld) {
                effects.add(finalizers(config, false));
            }
            return Step.of(effects);
        }
        effects.add(
                new Effect.Publish(
                        KubeEvent.warning(
                                KubeEvent.Subject.of(kind.type(), config),
                                "InUse",
                                "%d Workspaces still use it, such as %s; delete them first"
                                        .formatted(users.size(), users.getFirst()))));
        return Step.of(effects).thenAgain(LOOK_WHILE_DELETED);
    }

    private Effect finalizers(RawObject config, boolean isHeld) {
        var after = new ArrayList<>(config.meta().finalizers());
        after.remove(WorkspaceMarks.CONFIG_FINALIZER);
        if (isHeld) {
            after.add(WorkspaceMarks.CONFIG_FINALIZER);
        }
        return patch(
                config,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", Tree.of().putTextList("finalizers", after)));
    }

    private Effect patch(RawObject config, ApiWrite.Subresource subresource, Tree body) {
        return new Effect.Write(
                new ApiWrite.Patch(
                        kind.type(),
                        config.name(),
                        ApiWrite.PatchKind.MERGE,
                        subresource,
                        body.mapping()));
    }
}
