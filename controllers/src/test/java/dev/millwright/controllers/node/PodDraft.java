package dev.millwright.controllers.node;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A pod object in the making, running on a node.
final class PodDraft {

    private final String name;
    private final Tree metadata;
    private final Tree spec;
    private final Tree status = Tree.of("phase", "Running");
    private final Tree labels = Tree.of();
    private final Tree annotations = Tree.of();
    private final List<Value> owners = new ArrayList<>();
    private final List<Value> tolerations = new ArrayList<>();
    private final List<Value> volumes = new ArrayList<>();

    private PodDraft(String name, String node) {
        this.name = name;
        metadata = Tree.of("name", name).put("namespace", "default").put("uid", "uid-" + name);
        spec = Tree.of("nodeName", node).put("terminationGracePeriodSeconds", 30);
    }

    /// One of a ReplicaSet's.
    static PodDraft pod(String name, String node) {
        return new PodDraft(name, node);
    }

    PodDraft uid(String uid) {
        metadata.put("uid", uid);
        return this;
    }

    PodDraft label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    PodDraft annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    PodDraft doNotDisrupt(String value) {
        return annotation("karpenter.sh/do-not-disrupt", value);
    }

    PodDraft controlledBy(String apiVersion, String kind, String owner) {
        owners.add(
                Tree.of("apiVersion", apiVersion)
                        .put("kind", kind)
                        .put("name", owner)
                        .put("uid", "uid-" + owner)
                        .put("controller", true)
                        .mapping());
        return this;
    }

    PodDraft ownedBy(String apiVersion, String kind) {
        owners.add(
                Tree.of("apiVersion", apiVersion)
                        .put("kind", kind)
                        .put("name", name)
                        .put("uid", "uid-owner")
                        .mapping());
        return this;
    }

    PodDraft daemon() {
        return ownedBy("apps/v1", "DaemonSet");
    }

    PodDraft critical() {
        spec.put("priorityClassName", "system-cluster-critical");
        return this;
    }

    PodDraft priorityClass(String priorityClass) {
        spec.put("priorityClassName", priorityClass);
        return this;
    }

    PodDraft tolerates(String key, String operator, String effect) {
        tolerations.add(
                Tree.of("key", key)
                        .put("operator", operator)
                        .putUnlessEmpty("effect", effect)
                        .mapping());
        return this;
    }

    PodDraft volume(String claim) {
        volumes.add(
                Tree.of("name", claim)
                        .put("persistentVolumeClaim", Tree.of("claimName", claim))
                        .mapping());
        return this;
    }

    PodDraft graceSeconds(long seconds) {
        spec.put("terminationGracePeriodSeconds", seconds);
        return this;
    }

    PodDraft withoutGrace() {
        spec.putNothing("terminationGracePeriodSeconds");
        return this;
    }

    PodDraft phase(String phase) {
        status.put("phase", phase);
        return this;
    }

    PodDraft startedAt(Instant instant) {
        status.put("startTime", instant.toString());
        return this;
    }

    PodDraft endingAt(Instant instant) {
        metadata.put("deletionTimestamp", instant.toString());
        return this;
    }

    Value.Mapping document() {
        metadata.put("labels", labels).put("annotations", annotations);
        metadata.putList("ownerReferences", owners);
        spec.putList("tolerations", tolerations).putList("volumes", volumes);
        return Tree.of("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", metadata)
                .put("spec", spec)
                .put("status", status)
                .mapping();
    }
}
