package dev.millwright.kube.conversion;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What an adoption changes on a Node, and how that is taken back: the node itself remembers, in an
/// annotation, what it had before.
public final class NodeMark {

    /// On a node: what its adoption changed.
    public static final String BEFORE = "millwright.dev/before-adoption";

    private static final String FINALIZER = "karpenter.sh/termination";
    private static final String DISRUPTED = "karpenter.sh/disrupted";

    private NodeMark() {}

    /// A merge patch that makes the node the claim's; null when it is already.
    public static Value.@Nullable Mapping adopted(
            Value.Mapping node, Adoption adoption, String claimUid) {
        if (annotation(node) != null
                && owners(node).stream().anyMatch(each -> isUid(each, claimUid))) {
            return null;
        }
        var labels = Adoption.texts(Nested.mapping(adoption.claim(), "metadata", "labels"));
        labels.put("karpenter.sh/registered", "true");
        if (Nested.list(adoption.status(), "status", "conditions").size() > 2) {
            labels.put("karpenter.sh/initialized", "true");
        }
        var before = Tree.of();
        var changes = Tree.of("resourceVersion", version(node));
        changes.put("labels", changed(node, "labels", labels, before));
        var annotations =
                Adoption.texts(Nested.mapping(adoption.claim(), "metadata", "annotations"));
        annotations.remove(Adoption.ADOPTED);
        var notes = changed(node, "annotations", annotations, before);
        var finalizers = finalizers(node);
        var hadFinalizer = finalizers.contains(FINALIZER);
        before.put("finalizer", hadFinalizer);
        if (!hadFinalizer) {
            finalizers.add(FINALIZER);
            changes.putTextList("finalizers", finalizers);
        }
        var kept = annotation(node);
        notes.put(BEFORE, kept == null ? JsonWriter.text(before.mapping()) : kept);
        changes.put("annotations", notes);
        var owners = new ArrayList<>(withoutClaims(node));
        owners.add(Adoption.owner(OldKeys.CURRENT, "NodeClaim", adoption.name(), claimUid));
        changes.putList("ownerReferences", owners);
        return Tree.of("metadata", changes).mapping();
    }

    private static Tree changed(
            Value.Mapping node, String field, Map<String, String> wanted, Tree before) {
        var changes = Tree.of();
        var old = Tree.of();
        var has = Adoption.texts(Nested.mapping(node, "metadata", field));
        wanted.forEach(
                (key, value) -> {
                    var found = has.get(key);
                    if (value.equals(found)) {
                        return;
                    }
                    changes.put(key, value);
                    if (found == null) {
                        old.putNothing(key);
                    } else {
                        old.put(key, found);
                    }
                });
        before.put(field, old);
        return changes;
    }

    /// A merge patch that gives the node back what it had. A node that came later gets the label by
    /// which the old controller knows its own.
    public static Value.Mapping restored(Value.Mapping node, boolean hasProvisioner) {
        var changes = Tree.of("resourceVersion", version(node));
        changes.putList("ownerReferences", withoutClaims(node));
        var before = Kubelets.json(annotation(node));
        if (before != null) {
            changes.put("labels", Nested.mapping(before, "labels"));
            changes.put(
                    "annotations",
                    Nested.with(
                            Nested.mapping(before, "annotations"),
                            new Value.Nothing(node.position()),
                            BEFORE));
            if (before.fields().get("finalizer") instanceof Value.Flag(_, var had) && !had) {
                var finalizers = finalizers(node);
                finalizers.remove(FINALIZER);
                changes.putTextList("finalizers", finalizers);
            }
        } else if (hasProvisioner) {
            changes.put(
                    "labels",
                    Tree.of(
                            OldKeys.PROVISIONER_NAME,
                            Adoption.orEmpty(
                                    Nested.text(node, "metadata", "labels", OldKeys.NODE_POOL))));
        }
        var patch = Tree.of("metadata", changes);
        var taints = Nested.list(node, "spec", "taints");
        var kept = taints.stream().filter(taint -> !isDisrupted(taint)).toList();
        if (kept.size() < taints.size()) {
            patch.put("spec", Tree.of().putList("taints", kept));
        }
        return patch.mapping();
    }

    private static boolean isDisrupted(Value taint) {
        return taint instanceof Value.Mapping mapping && DISRUPTED.equals(mapping.text("key"));
    }

    /// Whether this node was there before, and so remembers.
    public static boolean isOn(Value.Mapping node) {
        return annotation(node) != null;
    }

    private static @Nullable String annotation(Value.Mapping node) {
        return Nested.text(node, "metadata", "annotations", BEFORE);
    }

    private static String version(Value.Mapping node) {
        return Adoption.orEmpty(Nested.text(node, "metadata", "resourceVersion"));
    }

    private static List<String> finalizers(Value.Mapping node) {
        var names = new ArrayList<String>();
        for (var each : Nested.list(node, "metadata", "finalizers")) {
            if (each instanceof Value.Text(_, var name)) {
                names.add(name);
            }
        }
        return names;
    }

    private static List<Value> owners(Value.Mapping node) {
        return Nested.list(node, "metadata", "ownerReferences");
    }

    private static List<Value> withoutClaims(Value.Mapping node) {
        return owners(node).stream()
                .filter(
                        each ->
                                !(each instanceof Value.Mapping owner
                                        && "NodeClaim".equals(owner.text("kind"))))
                .toList();
    }

    private static boolean isUid(Value owner, String uid) {
        return owner instanceof Value.Mapping mapping && uid.equals(mapping.text("uid"));
    }
}
