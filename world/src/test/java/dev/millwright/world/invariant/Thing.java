package dev.millwright.world.invariant;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// An object of a told story. Each change is a new value.
final class Thing {

    final ResourceType type;
    final String name;
    private final TreeMap<String, String> labels = new TreeMap<>();
    private final TreeMap<String, String> annotations = new TreeMap<>();
    private final TreeMap<String, Value> conditions = new TreeMap<>();
    private final List<String> finalizers = new ArrayList<>();
    private final TreeMap<String, Value> spec = new TreeMap<>();
    private final TreeMap<String, Value> status = new TreeMap<>();
    private String uid;
    private @Nullable Value owner;
    private @Nullable Instant deletedAt;

    private Thing(ResourceType type, String name) {
        this.type = type;
        this.name = name;
        this.uid = name + "-uid";
    }

    static Thing of(ResourceType type, String name) {
        return new Thing(type, name);
    }

    /// Running and ready on the node, one of the workload's.
    static Thing pod(String name, String node) {
        return of(ResourceType.POD, name)
                .label("app", "web")
                .owner("ReplicaSet", "web-1")
                .spec("nodeName", Tree.text(node))
                .status("phase", Tree.text("Running"))
                .condition("Ready", "True", "");
    }

    static Thing waitingPod(String name) {
        return of(ResourceType.POD, name)
                .owner("ReplicaSet", "web-1")
                .status("phase", Tree.text("Pending"));
    }

    /// Ready, initialised and ours, with the machine of the same name.
    static Thing node(String name) {
        return of(ResourceType.NODE, name)
                .label(LabelKeys.NODE_POOL, "default")
                .label(LabelKeys.REGISTERED, "true")
                .label(LabelKeys.INITIALIZED, "true")
                .finalizer(LabelKeys.TERMINATION_FINALIZER)
                .spec("providerID", Tree.text(name))
                .condition("Ready", "True", "");
    }

    static Thing claim(String name) {
        return of(ResourceType.NODE_CLAIM, name).label(LabelKeys.NODE_POOL, "default");
    }

    Thing label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    Thing annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    Thing finalizer(String finalizer) {
        finalizers.add(finalizer);
        return this;
    }

    Thing owner(String kind, String owner) {
        this.owner = Tree.of("kind", kind).put("name", owner).put("controller", true).mapping();
        return this;
    }

    Thing spec(String field, Value value) {
        spec.put(field, value);
        return this;
    }

    Thing spec(String field, long value) {
        spec.put(field, Tree.of().put(field, value).mapping().fields().get(field));
        return this;
    }

    Thing status(String field, Value value) {
        status.put(field, value);
        return this;
    }

    Thing launched(String providerId) {
        return status("providerID", Tree.text(providerId))
                .condition("Launched", "True", "Launched")
                .condition("Registered", "True", "Registered");
    }

    Thing capacity(String cpu) {
        return status("capacity", Tree.of("cpu", cpu).mapping());
    }

    Thing condition(String condition, String value, String reason) {
        conditions.put(
                condition,
                Tree.of("type", condition).put("status", value).put("reason", reason).mapping());
        return this;
    }

    Thing without(String condition) {
        conditions.remove(condition);
        return this;
    }

    Thing deletedAt(Instant at) {
        deletedAt = at;
        return this;
    }

    String uid() {
        return uid;
    }

    boolean isNamespaced() {
        return type.isNamespaced();
    }

    Value.Mapping value() {
        var metadata = Tree.of("name", name).put("uid", uid);
        if (isNamespaced()) {
            metadata.put("namespace", "default");
        }
        metadata.put("creationTimestamp", Tale.NOON.toString())
                .putTexts("labels", labels)
                .putTexts("annotations", annotations)
                .putTextList("finalizers", finalizers);
        var deletion = deletedAt;
        if (deletion != null) {
            metadata.put("deletionTimestamp", deletion.toString());
        }
        var controller = owner;
        if (controller != null) {
            metadata.putList("ownerReferences", List.of(controller));
        }
        var specTree = Tree.of();
        spec.forEach(specTree::put);
        var statusTree = Tree.of();
        status.forEach(statusTree::put);
        statusTree.putList("conditions", List.copyOf(conditions.values()));
        return Tree.of("apiVersion", type.apiVersion())
                .put("kind", type.kind())
                .put("metadata", metadata)
                .put("spec", specTree)
                .put("status", statusTree)
                .mapping();
    }
}
