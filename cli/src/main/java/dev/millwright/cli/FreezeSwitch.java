package dev.millwright.cli;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Meta;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Puts the annotation that freezes on objects, and takes it off. No object is touched before all
/// are known to be there.
final class FreezeSwitch {

    private static final String REASON_DEFAULT = "asked for by millwright freeze";
    private static final int PAGE = 500;

    /// What was done about one object.
    record Switched(String kind, String name, boolean isFrozen, boolean isChanged, String reason) {

        String words() {
            var object = "%s %s".formatted(kind, name);
            if (!isFrozen) {
                return isChanged ? object + ": no longer frozen" : object + ": was not frozen";
            }
            return "%s: %s (%s)"
                    .formatted(object, isChanged ? "frozen" : "was frozen already", reason);
        }
    }

    /// An object that freezes by its annotation, and what that says now.
    private record Target(ResourceType type, ObjectName name, @Nullable String reason) {

        private String words() {
            return "%s %s".formatted(type.kind(), name.name());
        }

        private Switched done(boolean isFrozen, boolean isChanged, String why) {
            return new Switched(type.kind(), name.name(), isFrozen, isChanged, why);
        }
    }

    private final KubeApi api;
    private final Consumer<String> notes;

    FreezeSwitch(KubeApi api, Consumer<String> notes) {
        this.api = api;
        this.notes = notes;
    }

    /// No pools means the whole cluster. Without a reason the one that stands there stays.
    ///
    /// @throws IOException when the cluster says no; its message is for a person
    List<Switched> freeze(List<String> nodePools, @Nullable String reason) throws IOException {
        var switched = new ArrayList<Switched>();
        for (var target : targets(nodePools)) {
            var known = target.reason();
            var wanted = reason != null ? reason : known != null ? known : REASON_DEFAULT;
            var isChanged = !wanted.equals(known);
            if (isChanged) {
                write(target, Tree.of(ControlKeys.FREEZE, wanted));
            }
            switched.add(target.done(true, isChanged, wanted));
        }
        return switched;
    }

    List<Switched> unfreeze(List<String> nodePools) throws IOException {
        var switched = new ArrayList<Switched>();
        for (var target : targets(nodePools)) {
            var isChanged = target.reason() != null;
            if (isChanged) {
                write(target, Tree.of().putNothing(ControlKeys.FREEZE));
            }
            switched.add(target.done(false, isChanged, ""));
        }
        tellLeft(nodePools);
        return switched;
    }

    private List<Target> targets(List<String> nodePools) throws IOException {
        if (nodePools.isEmpty()) {
            return List.of(target(ResourceType.NAMESPACE, ControlKeys.FREEZE_NAMESPACE));
        }
        var targets = new ArrayList<Target>();
        for (var name : nodePools) {
            targets.add(target(ResourceType.NODE_POOL, name));
        }
        return targets;
    }

    private Target target(ResourceType type, String name) throws IOException {
        var answer = api.read(type, new ObjectName("", name));
        if (answer instanceof ApiAnswer.Done(var object)) {
            return target(type, object);
        }
        if (answer.isNotFound() && type.equals(ResourceType.NODE_POOL)) {
            throw new IOException("NodePool %s: there is none; %s".formatted(name, others()));
        }
        throw new IOException(
                "%s %s cannot be read: %s".formatted(type.kind(), name, answer.explain()));
    }

    private static Target target(ResourceType type, Value.Mapping object) {
        var meta = Meta.of(Field.root("", object, new Faults()));
        return new Target(type, meta.name(), meta.annotation(ControlKeys.FREEZE));
    }

    private String others() throws IOException {
        var pools = pools();
        return pools.isEmpty()
                ? "the cluster has no NodePool"
                : "there is "
                        + pools.stream()
                                .map(each -> each.name().name())
                                .collect(Collectors.joining(", "));
    }

    private List<Target> pools() throws IOException {
        return Pages.all(api, ResourceType.NODE_POOL, ListQuery.all(PAGE)).stream()
                .map(pool -> target(ResourceType.NODE_POOL, pool))
                .toList();
    }

    private void write(Target target, Tree annotations) throws IOException {
        var answer =
                api.write(
                        new ApiWrite.Patch(
                                target.type(),
                                target.name(),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Tree.of("metadata", Tree.of("annotations", annotations))
                                        .mapping()));
        if (!answer.isDone()) {
            throw new IOException(
                    "%s cannot be changed: %s; it takes the right to patch %s"
                            .formatted(target.words(), answer.explain(), target.type().plural()));
        }
    }

    /// Who releases something wants nodes to go; what still keeps them is told.
    private void tellLeft(List<String> released) throws IOException {
        if (released.isEmpty()) {
            for (var pool : pools()) {
                if (pool.reason() != null) {
                    notes.accept(
                            "%s stays frozen by itself (%s); millwright unfreeze --nodepool %s"
                                    .formatted(pool.words(), pool.reason(), pool.name().name()));
                }
            }
            return;
        }
        var cluster = target(ResourceType.NAMESPACE, ControlKeys.FREEZE_NAMESPACE);
        if (cluster.reason() != null) {
            notes.accept(
                    "the whole cluster stays frozen (%s); millwright unfreeze"
                            .formatted(cluster.reason()));
        }
    }
}
