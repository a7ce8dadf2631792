package dev.millwright.world.scenario;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A script in the making.
final class ScriptDraft {

    private final List<Line> lines = new ArrayList<>();

    private ScriptDraft add(Duration at, Deed deed, String words) {
        lines.add(new Line(at, deed, words));
        return this;
    }

    /// Is there at the start.
    ScriptDraft first(Deed.Create create) {
        return create(Duration.ZERO, create);
    }

    ScriptDraft create(Duration at, Deed.Create create) {
        return add(
                at,
                create,
                "creates %s %s%s"
                        .formatted(
                                create.type().kind(),
                                Manifests.inWords(Manifests.nameOf(create)),
                                Sizes.inWords(create.body())));
    }

    ScriptDraft scale(Duration at, ResourceType type, String name, int replicas) {
        return change(
                at,
                type,
                name,
                Tree.of("spec", Tree.of().put("replicas", replicas)).mapping(),
                "scales %s %s to %d".formatted(type.kind(), name, replicas));
    }

    /// Another version of its pods: all are replaced, a few at a time.
    ScriptDraft roll(Duration at, ResourceType type, String name, String version) {
        var metadata = Tree.of("annotations", Tree.of("example.com/version", version));
        var template = Tree.of("template", Tree.of("metadata", metadata));
        return change(
                at,
                type,
                name,
                Tree.of("spec", template).mapping(),
                "rolls %s %s to version %s".formatted(type.kind(), name, version));
    }

    ScriptDraft change(
            Duration at, ResourceType type, String name, Value.Mapping patch, String words) {
        var namespace = type.isNamespaced() ? Manifests.NAMESPACE : "";
        return add(at, new Deed.Change(type, new ObjectName(namespace, name), patch), words);
    }

    ScriptDraft delete(Duration at, ResourceType type, String name) {
        var namespace = type.isNamespaced() ? Manifests.NAMESPACE : "";
        var full = new ObjectName(namespace, name);
        return add(
                at,
                new Deed.Delete(type, full),
                "deletes %s %s".formatted(type.kind(), Manifests.inWords(full)));
    }

    ScriptDraft deleteNode(Duration at, int place) {
        return add(at, new Deed.DeleteNode(place), "deletes a node, number %d".formatted(place));
    }

    ScriptDraft publish(Duration at, String image) {
        return add(at, new Deed.Publish(image), "publishes image " + image);
    }

    Script script() {
        return new Script(lines);
    }
}
