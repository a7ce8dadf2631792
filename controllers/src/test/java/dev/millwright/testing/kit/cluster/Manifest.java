package dev.millwright.testing.kit.cluster;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An object in the making, status and all. Its uid and age follow from its name, so that putting
/// it again changes the object that is there.
public final class Manifest {

    private final ResourceType type;
    private final String name;
    private final Map<String, String> labels = new LinkedHashMap<>();
    private final Map<String, String> annotations = new LinkedHashMap<>();
    private final List<String> finalizers = new ArrayList<>();
    private final List<Value> owners = new ArrayList<>();
    private final List<Value> taints = new ArrayList<>();
    private final List<Value> startupTaints = new ArrayList<>();
    private final List<Value> conditions = new ArrayList<>();
    private final Tree spec = Tree.of();
    private final Tree status = Tree.of();
    private final Tree container = Tree.of("name", "main");
    private final Tree resources = Tree.of();
    private String uid;
    private Instant createdAt = Given.NOON;
    private @Nullable Instant deletedAt;

    private Manifest(ResourceType type, String name) {
        this.type = type;
        this.name = name;
        this.uid = name + "-uid";
    }

    /// Of the namespace `default`, Pending.
    public static Manifest pod(String name) {
        return new Manifest(ResourceType.POD, name).phase("Pending");
    }

    public static Manifest node(String name) {
        return new Manifest(ResourceType.NODE, name);
    }

    /// Of the pool `default` and its class.
    public static Manifest claim(String name) {
        var claim = new Manifest(ResourceType.NODE_CLAIM, name).nodePool("default");
        claim.spec.put("nodeClassRef", classRef(FakeCloud.NODE_CLASS.kind()));
        return claim;
    }

    /// Ready.
    public static Manifest pool(String name) {
        return new Manifest(ResourceType.NODE_POOL, name)
                .template(FakeCloud.NODE_CLASS.kind())
                .condition("Ready", "True", Given.NOON);
    }

    public static Manifest of(ResourceType type, String name) {
        return new Manifest(type, name);
    }

    private Manifest template(String classKind) {
        var template =
                Tree.of("nodeClassRef", classRef(classKind)).putList("requirements", List.of());
        spec.put("template", Tree.of("spec", template));
        return this;
    }

    private static Tree classRef(String kind) {
        return Tree.of("group", FakeCloud.NODE_CLASS.group())
                .put("kind", kind)
                .put("name", "default");
    }

    /// A pool or claim whose class is another provider's.
    public Manifest ofOtherProvider() {
        if (type.equals(ResourceType.NODE_POOL)) {
            return template("OtherNodeClass");
        }
        spec.put("nodeClassRef", classRef("OtherNodeClass"));
        return this;
    }

    public Manifest uid(String other) {
        uid = other;
        return this;
    }

    public Manifest createdAt(Instant at) {
        createdAt = at;
        return this;
    }

    public Manifest deletedAt(Instant at) {
        deletedAt = at;
        return this;
    }

    public Manifest label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    public Manifest annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    public Manifest finalizer(String finalizer) {
        finalizers.add(finalizer);
        return this;
    }

    public Manifest nodePool(String pool) {
        return label(LabelKeys.NODE_POOL, pool);
    }

    /// Without the label that claims have by default.
    public Manifest withoutNodePool() {
        labels.remove(LabelKeys.NODE_POOL);
        return this;
    }

    public Manifest registered() {
        return label(LabelKeys.REGISTERED, "true");
    }

    public Manifest initialized() {
        return registered().label(LabelKeys.INITIALIZED, "true");
    }

    /// The controller of the object.
    public Manifest owner(String apiVersion, String kind, String ownerName) {
        owners.add(
                Tree.of("apiVersion", apiVersion)
                        .put("kind", kind)
                        .put("name", ownerName)
                        .put("uid", ownerName + "-uid")
                        .put("controller", true)
                        .mapping());
        return this;
    }

    public Manifest ofDaemonSet(String set) {
        return owner("apps/v1", "DaemonSet", set);
    }

    /// Where a pod runs.
    public Manifest on(String nodeName) {
        spec.put("nodeName", nodeName);
        return phase("Running");
    }

    public Manifest phase(String phase) {
        status.put("phase", phase);
        return this;
    }

    /// Pairs of name and quantity.
    public Manifest requests(String... amounts) {
        resources.put("requests", amounts(amounts));
        return this;
    }

    public Manifest limits(String... amounts) {
        if (type.equals(ResourceType.NODE_POOL)) {
            spec.put("limits", amounts(amounts));
        } else {
            resources.put("limits", amounts(amounts));
        }
        return this;
    }

    public Manifest hostPort(int port) {
        container.putList(
                "ports",
                List.of(Tree.of().put("containerPort", port).put("hostPort", port).mapping()));
        return this;
    }

    /// A pod with the volume of this claim.
    public Manifest volumeClaim(String claim) {
        var source = Tree.of("claimName", claim);
        return spec(
                "volumes",
                Tree.list(
                        List.of(
                                Tree.of("name", "data")
                                        .put("persistentVolumeClaim", source)
                                        .mapping())));
    }

    public Manifest spec(String field, Value value) {
        spec.put(field, value);
        return this;
    }

    public Manifest status(String field, Value value) {
        status.put(field, value);
        return this;
    }

    /// Of a node or, as the cloud answered, of a claim.
    public Manifest providerId(String providerId) {
        (type.equals(ResourceType.NODE) ? spec : status).put("providerID", providerId);
        return this;
    }

    public Manifest capacity(String... amounts) {
        status.put("capacity", amounts(amounts));
        return this;
    }

    public Manifest allocatable(String... amounts) {
        status.put("allocatable", amounts(amounts));
        return this;
    }

    /// What a pool's status says it has.
    public Manifest used(String... amounts) {
        status.put("resources", amounts(amounts));
        return this;
    }

    public Manifest taint(String key, String effect) {
        taints.add(Tree.of("key", key).put("effect", effect).mapping());
        return this;
    }

    public Manifest startupTaint(String key, String effect) {
        startupTaints.add(Tree.of("key", key).put("effect", effect).mapping());
        return this;
    }

    public Manifest condition(String condition, String value, Instant at) {
        return condition(condition, value, condition, "", at);
    }

    public Manifest condition(
            String condition, String value, String reason, String message, Instant at) {
        conditions.add(
                Tree.of("type", condition)
                        .put("status", value)
                        .put("reason", reason)
                        .put("message", message)
                        .put("lastTransitionTime", at.toString())
                        .put("observedGeneration", 1)
                        .mapping());
        return this;
    }

    /// As kube-scheduler leaves a pod it could not place.
    public Manifest unschedulable() {
        return condition("PodScheduled", "False", "Unschedulable", "", createdAt);
    }

    private static Tree amounts(String... namesAndTexts) {
        var tree = Tree.of();
        for (var index = 0; index < namesAndTexts.length; index += 2) {
            tree.put(namesAndTexts[index], namesAndTexts[index + 1]);
        }
        return tree;
    }

    public Value.Mapping value() {
        if (type.equals(ResourceType.POD)) {
            spec.putList("containers", List.of(container.put("resources", resources).mapping()));
        }
        if (type.equals(ResourceType.NODE_CLAIM) && !resources.isEmpty()) {
            spec.put("resources", resources);
        }
        putUnlessEmpty(spec, "taints", taints);
        putUnlessEmpty(spec, "startupTaints", startupTaints);
        putUnlessEmpty(status, "conditions", conditions);
        return Tree.of("apiVersion", type.apiVersion())
                .put("kind", type.kind())
                .put("metadata", metadata())
                .put("spec", spec)
                .put("status", status)
                .mapping();
    }

    private Tree metadata() {
        var metadata =
                Tree.of("name", name)
                        .put("uid", uid)
                        .put("creationTimestamp", createdAt.toString())
                        .putTexts("labels", labels)
                        .putTexts("annotations", annotations);
        if (deletedAt != null) {
            metadata.put("deletionTimestamp", deletedAt.toString());
        }
        putUnlessEmpty(metadata, "ownerReferences", owners);
        if (!finalizers.isEmpty()) {
            metadata.putTextList("finalizers", finalizers);
        }
        return metadata;
    }

    private static void putUnlessEmpty(Tree tree, String field, List<Value> values) {
        if (!values.isEmpty()) {
            tree.putList(field, values);
        }
    }
}
