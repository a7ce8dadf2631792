package dev.millwright.world.kind;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import java.util.SequencedMap;
import java.util.function.Consumer;

/// What the server fills into built-in kinds: those fields that steps and actors rely on.
public final class Defaults {

    private static final Value ONE = Trees.number(1);
    private static final Value TEN = Trees.number(10);
    private static final Value ZERO = Trees.number(0);
    private static final Value NO = new Value.Flag(Position.NOWHERE, false);
    private static final Value QUARTER = Trees.text("25%");
    private static final Value ROLLING = Trees.text("RollingUpdate");
    private static final Value RETAIN = Trees.text("Retain");
    private static final Value FILESYSTEM = Trees.text("Filesystem");
    private static final Value TCP = Trees.text("TCP");

    private Defaults() {}

    /// The object with its defaults, whether it is new or changed. Only a pod's are filled in just
    /// once: nobody can take them out of it again.
    public static Value.Mapping fill(ResourceType type, Value.Mapping object) {
        return switch (type.kind()) {
            case "Deployment" -> withTemplate(object, Defaults::deployment);
            case "ReplicaSet", "ReplicationController" ->
                    withTemplate(object, spec -> spec.putIfAbsent("replicas", ONE));
            case "StatefulSet" -> withTemplate(object, Defaults::statefulSet);
            case "DaemonSet" -> withTemplate(object, Defaults::daemonSet);
            case "Job" -> withTemplate(object, Defaults::job);
            case "PersistentVolume" -> inSpec(object, Defaults::volume);
            case "PersistentVolumeClaim" ->
                    inSpec(object, spec -> spec.putIfAbsent("volumeMode", FILESYSTEM));
            case "Service" -> inSpec(object, Defaults::service);
            case "StorageClass" ->
                    Trees.changed(
                            object,
                            fields -> {
                                fields.putIfAbsent("reclaimPolicy", Trees.text("Delete"));
                                fields.putIfAbsent("volumeBindingMode", Trees.text("Immediate"));
                            });
            case "PriorityClass" ->
                    Trees.changed(
                            object,
                            fields ->
                                    fields.putIfAbsent(
                                            "preemptionPolicy",
                                            Trees.text("PreemptLowerPriority")));
            case "Lease" ->
                    Trees.changed(object, fields -> fields.putIfAbsent("spec", Trees.EMPTY));
            case "Namespace" -> namespace(object);
            case "Node" -> node(object);
            default -> object;
        };
    }

    private static Value.Mapping inSpec(
            Value.Mapping object, Consumer<SequencedMap<String, Value>> change) {
        return Trees.with(object, "spec", Trees.changed(Trees.mapping(object, "spec"), change));
    }

    private static Value.Mapping withTemplate(
            Value.Mapping object, Consumer<SequencedMap<String, Value>> change) {
        return inSpec(
                object,
                spec -> {
                    change.accept(spec);
                    if (spec.get("template") instanceof Value.Mapping template) {
                        var filled = PodDefaults.template(Trees.mapping(template, "spec"));
                        spec.put("template", Trees.with(template, "spec", filled));
                    }
                });
    }

    private static Value.Mapping at(SequencedMap<String, Value> fields, String name) {
        return fields.get(name) instanceof Value.Mapping found ? found : Trees.EMPTY;
    }

    private static void deployment(SequencedMap<String, Value> spec) {
        spec.putIfAbsent("replicas", ONE);
        spec.putIfAbsent("revisionHistoryLimit", TEN);
        spec.putIfAbsent("progressDeadlineSeconds", Trees.number(600));
        spec.put(
                "strategy",
                Trees.changed(
                        at(spec, "strategy"),
                        strategy -> {
                            strategy.putIfAbsent("type", ROLLING);
                            if (ROLLING.equals(strategy.get("type"))) {
                                rolling(strategy, QUARTER, QUARTER);
                            }
                        }));
    }

    private static void rolling(
            SequencedMap<String, Value> strategy, Value unavailable, Value surge) {
        strategy.put(
                "rollingUpdate",
                Trees.changed(
                        at(strategy, "rollingUpdate"),
                        rolling -> {
                            rolling.putIfAbsent("maxUnavailable", unavailable);
                            rolling.putIfAbsent("maxSurge", surge);
                        }));
    }

    private static void daemonSet(SequencedMap<String, Value> spec) {
        spec.putIfAbsent("revisionHistoryLimit", TEN);
        spec.put(
                "updateStrategy",
                Trees.changed(
                        at(spec, "updateStrategy"),
                        strategy -> {
                            strategy.putIfAbsent("type", ROLLING);
                            if (ROLLING.equals(strategy.get("type"))) {
                                rolling(strategy, ONE, ZERO);
                            }
                        }));
    }

    private static void statefulSet(SequencedMap<String, Value> spec) {
        spec.putIfAbsent("replicas", ONE);
        spec.putIfAbsent("revisionHistoryLimit", TEN);
        spec.putIfAbsent("podManagementPolicy", Trees.text("OrderedReady"));
        spec.put(
                "updateStrategy",
                Trees.changed(
                        at(spec, "updateStrategy"),
                        strategy -> {
                            strategy.putIfAbsent("type", ROLLING);
                            if (ROLLING.equals(strategy.get("type"))) {
                                strategy.put(
                                        "rollingUpdate",
                                        Trees.changed(
                                                at(strategy, "rollingUpdate"),
                                                rolling -> rolling.putIfAbsent("partition", ZERO)));
                            }
                        }));
        spec.put(
                "persistentVolumeClaimRetentionPolicy",
                Trees.changed(
                        at(spec, "persistentVolumeClaimRetentionPolicy"),
                        policy -> {
                            policy.putIfAbsent("whenDeleted", RETAIN);
                            policy.putIfAbsent("whenScaled", RETAIN);
                        }));
    }

    private static void job(SequencedMap<String, Value> spec) {
        if (!spec.containsKey("completions") && !spec.containsKey("parallelism")) {
            spec.put("completions", ONE);
        }
        spec.putIfAbsent("parallelism", ONE);
        spec.putIfAbsent(
                "backoffLimit",
                Trees.number(spec.containsKey("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6));
        spec.putIfAbsent("completionMode", Trees.text("NonIndexed"));
        spec.putIfAbsent("suspend", NO);
        spec.putIfAbsent("manualSelector", NO);
        spec.putIfAbsent(
                "podReplacementPolicy",
                Trees.text(
                        spec.containsKey("podFailurePolicy") ? "Failed" : "TerminatingOrFailed"));
    }

    private static void volume(SequencedMap<String, Value> spec) {
        spec.putIfAbsent("persistentVolumeReclaimPolicy", RETAIN);
        spec.putIfAbsent("volumeMode", FILESYSTEM);
    }

    private static void service(SequencedMap<String, Value> spec) {
        spec.putIfAbsent("type", Trees.text("ClusterIP"));
        spec.putIfAbsent("sessionAffinity", Trees.text("None"));
        if (spec.get("ports") instanceof Value.Sequence(_, var ports)) {
            spec.put("ports", Tree.list(ports.stream().map(Defaults::servicePort).toList()));
        }
    }

    private static Value servicePort(Value value) {
        return value instanceof Value.Mapping port
                ? Trees.changed(
                        port,
                        fields -> {
                            fields.putIfAbsent("protocol", TCP);
                            var number = fields.get("port");
                            if (number != null) {
                                fields.putIfAbsent("targetPort", number);
                            }
                        })
                : value;
    }

    private static Value.Mapping namespace(Value.Mapping object) {
        var name = Trees.meta(object, "name");
        if (name.isEmpty()) {
            return object;
        }
        return Trees.withMeta(
                object,
                meta ->
                        meta.put(
                                "labels",
                                Trees.with(
                                        at(meta, "labels"),
                                        "kubernetes.io/metadata.name",
                                        Trees.text(name))));
    }

    /// A node that does not say what it can give gives all it has.
    private static Value.Mapping node(Value.Mapping object) {
        var status = Trees.mapping(object, "status");
        var capacity = status.fields().get("capacity");
        if (capacity == null || status.fields().containsKey("allocatable")) {
            return object;
        }
        return Trees.with(object, "status", Trees.with(status, "allocatable", capacity));
    }

    /// The status of a new object.
    public static Value.Mapping beginning(ResourceType type, Value.Mapping object) {
        return switch (type.kind()) {
            case "Pod" ->
                    Tree.of("phase", "Pending")
                            .put("qosClass", Qos.of(Trees.mapping(object, "spec")))
                            .mapping();
            case "PersistentVolume", "PersistentVolumeClaim" ->
                    Tree.of("phase", "Pending").mapping();
            case "Namespace" -> Tree.of("phase", "Active").mapping();
            case "PodDisruptionBudget" ->
                    Tree.of()
                            .put("currentHealthy", 0)
                            .put("desiredHealthy", 0)
                            .put("disruptionsAllowed", 0)
                            .put("expectedPods", 0)
                            .mapping();
            case "ReplicaSet", "ReplicationController" -> Tree.of().put("replicas", 0).mapping();
            case "StatefulSet" ->
                    Tree.of().put("replicas", 0).put("availableReplicas", 0).mapping();
            case "DaemonSet" ->
                    Tree.of()
                            .put("currentNumberScheduled", 0)
                            .put("numberMisscheduled", 0)
                            .put("desiredNumberScheduled", 0)
                            .put("numberReady", 0)
                            .mapping();
            case "VolumeAttachment" -> Tree.of().put("attached", false).mapping();
            case "Service" -> Tree.of("loadBalancer", Tree.of()).mapping();
            default -> Trees.EMPTY;
        };
    }
}
