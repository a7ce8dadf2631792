package dev.millwright.testing.kit.generator;

import dev.millwright.testing.kit.generator.WorkloadSource.Workload;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Nodes of a world in all stages of life, with pods on them.
final class NodeSource {

    private static final String NODE_CLASS_LABEL = "karpenter.test.sh/testnodeclass";

    private enum Stage {
        INITIALIZED,
        LAUNCHED,
        REGISTERED,
        UNMANAGED,
        DELETING
    }

    private final Dice dice;
    private final Set<Feature> features;
    private final PoolSource words;
    private final PodSource pods;
    private final StorageSource storage;
    private final List<Object> objects = new ArrayList<>();

    NodeSource(
            Dice dice,
            Set<Feature> features,
            PoolSource words,
            PodSource pods,
            StorageSource storage) {
        this.dice = dice;
        this.features = features;
        this.words = words;
        this.pods = pods;
        this.storage = storage;
    }

    /// Nodes, their claims, and the pods that are bound to them.
    List<Object> objects(
            List<Object> pools,
            List<Object> types,
            List<Workload> workloads,
            List<Object> daemonSets) {
        if (!features.contains(Feature.NODES)) {
            return objects;
        }
        var count = dice.between(1, 6);
        for (var index = 0; index < count; index++) {
            var stage = stage();
            var name = "node-" + (char) ('a' + index);
            var type = dice.pick(types);
            addMachine(name, stage, dice.pick(pools), type);
            if (stage != Stage.LAUNCHED) {
                addPods(name, type, workloads, daemonSets);
            }
        }
        return objects;
    }

    private Stage stage() {
        var stages = new ArrayList<>(List.of(Stage.INITIALIZED, Stage.INITIALIZED));
        if (features.contains(Feature.IN_FLIGHT_NODES)) {
            stages.add(Stage.LAUNCHED);
            stages.add(Stage.REGISTERED);
        }
        if (features.contains(Feature.UNMANAGED_NODES)) {
            stages.add(Stage.UNMANAGED);
        }
        if (features.contains(Feature.DELETING_NODES)) {
            stages.add(Stage.DELETING);
            stages.add(Stage.DELETING);
        }
        return dice.pick(stages);
    }

    private void addMachine(String name, Stage stage, Object pool, Object type) {
        var offering = dice.pick(Tree.list(type, "offerings"));
        var labels = labels(name, stage, pool, type, offering);
        var taints = new ArrayList<>(Tree.list(pool, "spec", "template", "spec", "taints"));
        if (features.contains(Feature.TAINTS) && dice.chance(15)) {
            taints.add(words.taint("NoExecute"));
        }
        if (stage != Stage.UNMANAGED) {
            addClaim(name, stage, pool, type, labels, taints);
        }
        if (stage != Stage.LAUNCHED) {
            addNode(name, stage, pool, type, labels, taints);
        }
    }

    private Map<String, Object> labels(
            String name, Stage stage, Object pool, Object type, Object offering) {
        var labels =
                Tree.map(
                        "kubernetes.io/hostname",
                        name,
                        PoolSource.ARCH,
                        Tree.text(type, "arch"),
                        "kubernetes.io/os",
                        "linux",
                        PoolSource.TYPE,
                        Tree.text(type, "name"),
                        PoolSource.ZONE,
                        Tree.text(offering, "zone"));
        if (Tree.at(type, "labels") instanceof Map<?, ?> own) {
            own.forEach((key, value) -> labels.put(key.toString(), value));
        }
        if (stage == Stage.UNMANAGED) {
            if (dice.chance(20)) {
                labels.remove(PoolSource.ZONE);
            }
            return labels;
        }
        labels.put(PoolSource.CAPACITY_TYPE, Tree.text(offering, "capacityType"));
        labels.put(PoolSource.NODE_POOL, Tree.text(pool, "metadata", "name"));
        labels.put(NODE_CLASS_LABEL, "default");
        var id = Tree.text(offering, "reservationId");
        if (!id.isEmpty()) {
            labels.put(CatalogueSource.RESERVATION_ID, id);
        }
        if (Tree.at(pool, "spec", "template", "metadata", "labels") instanceof Map<?, ?> own) {
            own.forEach((key, value) -> labels.put(key.toString(), value));
        }
        return labels;
    }

    private void addClaim(
            String name,
            Stage stage,
            Object pool,
            Object type,
            Map<String, Object> labels,
            List<Object> taints) {
        var isNamed = stage != Stage.LAUNCHED;
        var claimLabels = Tree.map();
        claimLabels.putAll(labels);
        claimLabels.remove("kubernetes.io/hostname");
        objects.add(
                Tree.map(
                        "apiVersion", "karpenter.sh/v1",
                        "kind", "NodeClaim",
                        "metadata",
                                Tree.map(
                                        "name",
                                        "claim-" + name,
                                        "uid",
                                        "uid-claim-" + name,
                                        "labels",
                                        claimLabels,
                                        "finalizers",
                                        List.of("karpenter.sh/termination"),
                                        "deletionTimestamp",
                                        stage == Stage.DELETING ? "2026-01-01T01:00:00Z" : null),
                        "spec",
                                Tree.map(
                                        "nodeClassRef", PoolSource.nodeClassRef(),
                                        "taints", Tree.unlessEmpty(taints),
                                        "startupTaints",
                                                Tree.unlessEmpty(
                                                        Tree.list(
                                                                pool,
                                                                "spec",
                                                                "template",
                                                                "spec",
                                                                "startupTaints")),
                                        "requirements", List.of()),
                        "status",
                                Tree.map(
                                        "providerID",
                                        "test:///" + name,
                                        "nodeName",
                                        isNamed ? name : null,
                                        "capacity",
                                        size(type, "capacity"),
                                        "allocatable",
                                        size(type, "allocatable"))));
    }

    private void addNode(
            String name,
            Stage stage,
            Object pool,
            Object type,
            Map<String, Object> labels,
            List<Object> taints) {
        var own = Tree.map();
        own.putAll(labels);
        var ownTaints = new ArrayList<>(taints);
        if (stage != Stage.UNMANAGED) {
            own.put("karpenter.sh/registered", "true");
        }
        if (stage == Stage.INITIALIZED || stage == Stage.DELETING) {
            own.put("karpenter.sh/initialized", "true");
        }
        if (stage == Stage.REGISTERED) {
            ownTaints.add(Tree.map("key", "node.kubernetes.io/not-ready", "effect", "NoSchedule"));
            ownTaints.addAll(Tree.list(pool, "spec", "template", "spec", "startupTaints"));
        }
        if (stage == Stage.DELETING) {
            ownTaints.add(Tree.map("key", "karpenter.sh/disrupted", "effect", "NoSchedule"));
        }
        objects.add(
                Tree.map(
                        "apiVersion", "v1",
                        "kind", "Node",
                        "metadata", Tree.map("name", name, "uid", "uid-" + name, "labels", own),
                        "spec",
                                Tree.map(
                                        "providerID",
                                        "test:///" + name,
                                        "taints",
                                        Tree.unlessEmpty(ownTaints)),
                        "status",
                                Tree.map(
                                        "capacity", size(type, "capacity"),
                                        "allocatable", size(type, "allocatable"))));
        if (features.contains(Feature.VOLUMES) && dice.chance(50)) {
            objects.add(storage.csiNode(name));
        }
    }

    /// A type's size in the notation of nodes.
    private static Map<String, Object> size(Object type, String field) {
        var size =
                Tree.map(
                        "cpu", Tree.at(type, field, "cpuMilli") + "m",
                        "memory", String.valueOf(Tree.at(type, field, "memoryBytes")),
                        "pods", String.valueOf(Tree.at(type, field, "pods")));
        if (Tree.at(type, field, "resources") instanceof Map<?, ?> more) {
            more.forEach((key, value) -> size.put(key.toString(), value));
        }
        return size;
    }

    /// Pods up to about what the node holds; some nodes are nearly full, and a few even over full.
    private void addPods(
            String node, Object type, List<Workload> workloads, List<Object> daemonSets) {
        for (var daemonSet : daemonSets) {
            if (dice.chance(60)) {
                objects.add(pods.daemonPod(daemonSet, node));
            }
        }
        var free = cpuMilli(Tree.at(type, "allocatable", "cpuMilli"));
        var count = dice.pick(0, 1, 2, 3, 5);
        for (var index = 0; index < count; index++) {
            var pod = pods.bound(dice.pick(workloads), node);
            free -= 500;
            if (free > 0 || dice.chance(10)) {
                objects.add(pod);
            }
        }
    }

    private static long cpuMilli(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
