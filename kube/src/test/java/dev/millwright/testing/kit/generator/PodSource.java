package dev.millwright.testing.kit.generator;

import dev.millwright.testing.kit.generator.WorkloadSource.Workload;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Pods of the workloads and the DaemonSets, waiting and bound.
final class PodSource {

    private static final Instant DAWN = Instant.parse("2026-01-01T00:00:00Z");

    private final Dice dice;
    private final Set<Feature> features;
    private final StorageSource storage;
    private int serial;

    PodSource(Dice dice, Set<Feature> features, StorageSource storage) {
        this.dice = dice;
        this.features = features;
        this.storage = storage;
    }

    Map<String, Object> waiting(Workload workload) {
        return pod(workload, null);
    }

    /// A pod on a node. Now and then it is on its way out or done, and then counts no more.
    Map<String, Object> bound(Workload workload, String node) {
        return pod(workload, node);
    }

    private Map<String, Object> pod(Workload workload, @Nullable String node) {
        serial++;
        var name = "%s-%03d".formatted(workload.name(), serial);
        var labels = Tree.map("app", workload.name(), "tier", workload.labels().get("tier"));
        if (dice.chance(50)) {
            labels.put("version", dice.pick("v1", "v2"));
        }
        var isTerminating = node != null && dice.chance(4);
        var owner = dice.pick("ReplicaSet", "ReplicaSet", "StatefulSet");
        var metadata =
                Tree.map(
                        "name",
                        name,
                        "namespace",
                        workload.namespace(),
                        "uid",
                        "uid-%s-%s".formatted(workload.namespace(), name),
                        "creationTimestamp",
                        DAWN.plusSeconds(dice.between(0, 3)).toString(),
                        "deletionTimestamp",
                        isTerminating ? DAWN.plusSeconds(10).toString() : null,
                        "labels",
                        labels,
                        "annotations",
                        node != null && dice.chance(4)
                                ? Tree.map("karpenter.sh/do-not-disrupt", "true")
                                : null,
                        "ownerReferences",
                        List.of(owner("apps/v1", owner, workload.name())));
        var spec = (Map<?, ?>) Tree.copy(workload.spec());
        var complete = Tree.map("nodeName", node);
        spec.forEach((key, value) -> complete.put(key.toString(), value));
        if (features.contains(Feature.VOLUMES) && dice.chance(20)) {
            complete.put("volumes", List.of(storage.volume(workload.namespace(), name)));
        }
        var phase = node == null ? "Pending" : dice.chance(95) ? "Running" : "Succeeded";
        return Tree.map(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                metadata,
                "spec",
                complete,
                "status",
                Tree.map(
                        "phase",
                        phase,
                        "conditions",
                        node == null
                                ? List.of(
                                        Tree.map(
                                                "type", "PodScheduled",
                                                "status", "False",
                                                "reason", "Unschedulable"))
                                : null));
    }

    static Map<String, Object> owner(String apiVersion, String kind, String name) {
        return Tree.map(
                "apiVersion",
                apiVersion,
                "kind",
                kind,
                "name",
                name,
                "uid",
                "uid-" + name,
                "controller",
                true);
    }

    List<Object> daemonSets(PoolSource words) {
        var daemonSets = new ArrayList<Object>();
        if (!features.contains(Feature.DAEMON_SETS)) {
            return daemonSets;
        }
        var count = dice.between(1, 3);
        for (var index = 0; index < count; index++) {
            daemonSets.add(daemonSet("daemon-" + (char) ('a' + index), words));
        }
        return daemonSets;
    }

    private Map<String, Object> daemonSet(String name, PoolSource words) {
        var hasPort = features.contains(Feature.HOST_PORTS) && dice.chance(30);
        var requests =
                Tree.map(
                        "cpu",
                        dice.pick("50m", "100m", "300m"),
                        "memory",
                        dice.pick("50Mi", "200Mi"));
        var container =
                Tree.map(
                        "name",
                        "main",
                        "resources",
                        dice.chance(80)
                                ? Tree.map("requests", requests)
                                : Tree.map("limits", requests),
                        "ports",
                        hasPort
                                ? List.of(Tree.map("containerPort", 8080, "hostPort", 8080))
                                : null);
        var isPicky = dice.chance(40);
        var spec =
                Tree.map(
                        "containers",
                        List.of(container),
                        "tolerations",
                        dice.chance(60)
                                ? List.of(Tree.map("operator", "Exists"))
                                : Tree.unlessEmpty(words.tolerations()),
                        "affinity",
                        isPicky
                                ? Tree.map(
                                        "nodeAffinity",
                                        Tree.map(
                                                "requiredDuringSchedulingIgnoredDuringExecution",
                                                Tree.map(
                                                        "nodeSelectorTerms",
                                                        List.of(
                                                                Tree.map(
                                                                        "matchExpressions",
                                                                        List.of(
                                                                                words
                                                                                        .podExpression()))))))
                                : null);
        return Tree.map(
                "apiVersion",
                "apps/v1",
                "kind",
                "DaemonSet",
                "metadata",
                Tree.map("name", name, "namespace", "kube-system", "uid", "uid-" + name),
                "spec",
                Tree.map(
                        "selector", Tree.map("matchLabels", Tree.map("daemon", name)),
                        "template",
                                Tree.map(
                                        "metadata",
                                        Tree.map("labels", Tree.map("daemon", name)),
                                        "spec",
                                        spec)));
    }

    /// The daemon's pod on a node, pinned to it as the controller pins it.
    Map<String, Object> daemonPod(Object daemonSet, String node) {
        var name = Tree.text(daemonSet, "metadata", "name");
        var template = Tree.at(daemonSet, "spec", "template", "spec");
        var spec = Tree.map("nodeName", node);
        if (template instanceof Map<?, ?> map) {
            map.forEach((key, value) -> spec.put(key.toString(), Tree.copy(value)));
        }
        return Tree.map(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Tree.map(
                        "name",
                        name + "-" + node,
                        "namespace",
                        "kube-system",
                        "uid",
                        "uid-" + name + "-" + node,
                        "creationTimestamp",
                        DAWN.toString(),
                        "labels",
                        Tree.map("daemon", name),
                        "ownerReferences",
                        List.of(owner("apps/v1", "DaemonSet", name))),
                "spec",
                spec,
                "status",
                Tree.map("phase", "Running"));
    }
}
