package dev.millwright.testing.e2e.world;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Nodes and pods with wishes of all sorts, from a seed. Values are few, so that wishes meet.
final class RandomCluster {

    static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";
    private static final List<String> APPS = List.of("a", "b", "c", "d");
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    static final String DRIVER = "disk.example.com";

    private final Chance chance;

    RandomCluster(long seed) {
        this.chance = Chance.of(seed);
    }

    Tree node(String name) {
        var labels = new TreeMap<>(Map.of(HOST, name));
        if (chance.happens(0.9)) {
            labels.put(ZONE, zone());
        }
        if (chance.happens(0.7)) {
            labels.put("disk", chance.pick(List.of("ssd", "hdd")));
        }
        labels.put("cores", Integer.toString(chance.between(1, 8)));
        var taints = new ArrayList<Value>();
        if (chance.happens(0.25)) {
            taints.add(taint("team", chance.pick(List.of("x", "y")), "NoSchedule"));
        }
        if (chance.happens(0.2)) {
            taints.add(taint("soft", "", "PreferNoSchedule"));
        }
        var room =
                Tree.of("cpu", Integer.toString(chance.between(2, 8)))
                        .put("memory", chance.between(4, 16) + "Gi")
                        .put("pods", Integer.toString(chance.between(4, 20)));
        if (chance.happens(0.3)) {
            room.put("example.com/gpu", Integer.toString(chance.between(1, 3)));
        }
        var spec = Tree.of();
        if (!taints.isEmpty()) {
            spec.putList("taints", taints);
        }
        if (chance.happens(0.1)) {
            spec.put("unschedulable", true);
        }
        return Tree.of("apiVersion", "v1")
                .put("kind", "Node")
                .put(
                        "metadata",
                        Tree.of("name", name)
                                .putTexts("labels", labels)
                                .put("annotations", Tree.of("kwok.x-k8s.io/node", "fake")))
                .put("spec", spec)
                .put("status", Tree.of().put("capacity", room).put("allocatable", room));
    }

    Tree csiNode(String node) {
        var driver =
                Tree.of("name", DRIVER)
                        .put("nodeID", node)
                        .put("allocatable", Tree.of().put("count", chance.between(1, 2)));
        return Tree.of("apiVersion", "storage.k8s.io/v1")
                .put("kind", "CSINode")
                .put("metadata", Tree.of("name", node))
                .put("spec", Tree.of().putList("drivers", List.of(driver.mapping())));
    }

    String zone() {
        return "z" + chance.index(3);
    }

    private static Value taint(String key, String value, String effect) {
        return Tree.of("key", key).putUnlessEmpty("value", value).put("effect", effect).mapping();
    }

    /// With a volume of this claim, unless it is empty.
    Tree pod(String name, String claim) {
        var labels = new TreeMap<>(Map.of("app", chance.pick(APPS)));
        if (chance.happens(0.3)) {
            labels.put("version", chance.pick(List.of("1", "2")));
        }
        var spec = Tree.of().putList("containers", List.of(container("main")));
        if (chance.happens(0.2)) {
            spec.putList("initContainers", List.of(container("init"), sidecar()));
        }
        if (chance.happens(0.2)) {
            spec.put(
                    "nodeSelector",
                    Tree.of(chance.pick(List.of("disk")), chance.pick(List.of("ssd", "hdd"))));
        }
        var affinity = affinity();
        if (!affinity.isEmpty()) {
            spec.put("affinity", affinity);
        }
        if (chance.happens(0.4)) {
            spec.putList("tolerations", List.of(toleration()));
        }
        if (chance.happens(0.35)) {
            spec.putList("topologySpreadConstraints", spread());
        }
        if (!claim.isEmpty()) {
            var volume =
                    Tree.of("name", "data")
                            .put("persistentVolumeClaim", Tree.of("claimName", claim));
            spec.putList("volumes", List.of(volume.mapping()));
        }
        return Tree.of("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", Tree.of("name", name).putTexts("labels", labels))
                .put("spec", spec);
    }

    private Value container(String name) {
        var requests =
                Tree.of("cpu", chance.between(1, 15) * 100 + "m")
                        .put("memory", chance.between(1, 20) * 100 + "Mi");
        if (chance.happens(0.15)) {
            requests = Tree.of();
        }
        var resources = Tree.of();
        if (chance.happens(0.08)) {
            requests.put("example.com/gpu", "1");
            resources.put("limits", Tree.of("example.com/gpu", "1"));
        }
        resources.put("requests", requests);
        var container = Tree.of("name", name).put("image", "none").put("resources", resources);
        if (name.equals("main") && chance.happens(0.1)) {
            var port = Tree.of().put("containerPort", 80).put("hostPort", chance.between(80, 81));
            container.putList("ports", List.of(port.mapping()));
        }
        return container.mapping();
    }

    private Value sidecar() {
        var sidecar = Tree.of();
        ((Value.Mapping) container("sidecar")).fields().forEach(sidecar::put);
        return sidecar.put("restartPolicy", "Always").mapping();
    }

    private Value toleration() {
        return chance.happens(0.5)
                ? Tree.of("key", "team").put("operator", "Exists").mapping()
                : Tree.of("key", "team")
                        .put("operator", "Equal")
                        .put("value", chance.pick(List.of("x", "y")))
                        .put("effect", "NoSchedule")
                        .mapping();
    }

    private Tree affinity() {
        var affinity = Tree.of();
        if (chance.happens(0.25)) {
            affinity.put("nodeAffinity", nodeAffinity());
        }
        if (chance.happens(0.2)) {
            affinity.put("podAffinity", podAffinity());
        }
        if (chance.happens(0.25)) {
            affinity.put("podAntiAffinity", podAffinity());
        }
        return affinity;
    }

    private Tree nodeAffinity() {
        var tree = Tree.of();
        if (chance.happens(0.5)) {
            tree.put(
                    REQUIRED,
                    Tree.of()
                            .putList(
                                    "nodeSelectorTerms",
                                    chance.happens(0.5)
                                            ? List.of(nodeTerm())
                                            : List.of(nodeTerm(), nodeTerm())));
        }
        if (chance.happens(0.6)) {
            tree.putList(
                    PREFERRED,
                    List.of(
                            Tree.of()
                                    .put("weight", chance.between(1, 100))
                                    .put("preference", nodeTerm())
                                    .mapping()));
        }
        return tree;
    }

    private Value nodeTerm() {
        var expression =
                switch (chance.index(6)) {
                    case 0 -> expression("disk", "In", "ssd");
                    case 1 -> expression("disk", "NotIn", "hdd");
                    case 2 -> expression("disk", "Exists");
                    case 3 -> expression("disk", "DoesNotExist");
                    case 4 -> expression("cores", "Gt", "3");
                    default -> expression(ZONE, "In", zone(), zone());
                };
        return Tree.of().putList("matchExpressions", List.of(expression)).mapping();
    }

    private static Value expression(String key, String operator, String... values) {
        var tree = Tree.of("key", key).put("operator", operator);
        return (values.length == 0
                        ? tree
                        : tree.putTextList("values", List.of(values).stream().distinct().toList()))
                .mapping();
    }

    private Tree podAffinity() {
        return chance.happens(0.5)
                ? Tree.of().putList(REQUIRED, List.of(podTerm().mapping()))
                : Tree.of()
                        .putList(
                                PREFERRED,
                                List.of(
                                        Tree.of()
                                                .put("weight", chance.between(1, 100))
                                                .put("podAffinityTerm", podTerm())
                                                .mapping()));
    }

    private Tree podTerm() {
        var term =
                Tree.of("topologyKey", chance.pick(List.of(ZONE, HOST)))
                        .put("labelSelector", selector());
        if (chance.happens(0.2)) {
            term.putTextList("matchLabelKeys", List.of("version"));
        }
        if (chance.happens(0.2)) {
            term.put("namespaceSelector", Tree.of());
        }
        return term;
    }

    private Tree selector() {
        return chance.happens(0.7)
                ? Tree.of("matchLabels", Tree.of("app", chance.pick(APPS)))
                : Tree.of()
                        .putList(
                                "matchExpressions",
                                List.of(
                                        expression(
                                                "app",
                                                chance.pick(List.of("In", "NotIn")),
                                                chance.pick(APPS),
                                                chance.pick(APPS))));
    }

    private List<Value> spread() {
        var constraints = new ArrayList<Value>();
        constraints.add(constraint(ZONE));
        if (chance.happens(0.4)) {
            constraints.add(constraint(HOST));
        }
        return constraints;
    }

    private Value constraint(String key) {
        var isHard = chance.happens(0.6);
        var tree =
                Tree.of("topologyKey", key)
                        .put("maxSkew", chance.between(1, 3))
                        .put("whenUnsatisfiable", isHard ? "DoNotSchedule" : "ScheduleAnyway")
                        .put("labelSelector", selector());
        if (isHard && chance.happens(0.2)) {
            tree.put("minDomains", chance.between(2, 4));
        }
        if (chance.happens(0.3)) {
            tree.put("nodeAffinityPolicy", chance.pick(List.of("Honor", "Ignore")));
        }
        if (chance.happens(0.3)) {
            tree.put("nodeTaintsPolicy", chance.pick(List.of("Honor", "Ignore")));
        }
        if (chance.happens(0.2)) {
            tree.putTextList("matchLabelKeys", List.of("version"));
        }
        return tree.mapping();
    }

    boolean happens(double rate) {
        return chance.happens(rate);
    }

    String pick(List<String> from) {
        return chance.pick(from);
    }

    static Tree volume(String name, String namespace, String zone) {
        var expression = expression(ZONE, "In", zone);
        var term = Tree.of().putList("matchExpressions", List.of(expression)).mapping();
        return Tree.of("apiVersion", "v1")
                .put("kind", "PersistentVolume")
                .put("metadata", Tree.of("name", name))
                .put(
                        "spec",
                        Tree.of("storageClassName", "")
                                .put("capacity", Tree.of("storage", "1Gi"))
                                .putTextList("accessModes", List.of("ReadWriteOnce"))
                                .put("claimRef", Tree.of("namespace", namespace).put("name", name))
                                .put("csi", Tree.of("driver", DRIVER).put("volumeHandle", name))
                                .put(
                                        "nodeAffinity",
                                        Tree.of(
                                                "required",
                                                Tree.of()
                                                        .putList(
                                                                "nodeSelectorTerms",
                                                                List.of(term)))));
    }

    static Tree claim(String name) {
        return Tree.of("apiVersion", "v1")
                .put("kind", "PersistentVolumeClaim")
                .put("metadata", Tree.of("name", name))
                .put(
                        "spec",
                        Tree.of("storageClassName", "")
                                .put("volumeName", name)
                                .putTextList("accessModes", List.of("ReadWriteOnce"))
                                .put("resources", Tree.of("requests", Tree.of("storage", "1Gi"))));
    }
}
