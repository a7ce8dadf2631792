package dev.millwright.cli.migrate.plan;

import dev.millwright.cli.migrate.Trees;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Nodes of one group of the Cluster Autoscaler, and a NodePool that would launch the like.
record NodeGroup(String name, List<Value.Mapping> nodes) {

    /// Labels by which groups are told apart: EKS's own, eksctl's, kops'.
    private static final List<String> GROUP_LABELS =
            List.of(
                    "eks.amazonaws.com/nodegroup",
                    "alpha.eksctl.io/nodegroup-name",
                    "kops.k8s.io/instancegroup");

    private static final String CAPACITY = "eks.amazonaws.com/capacityType";

    /// Domains whose labels nodes get by themselves.
    private static final List<String> SYSTEM =
            List.of(
                    "kubernetes.io",
                    "k8s.io",
                    "amazonaws.com",
                    "eksctl.io",
                    "k8s.aws",
                    "karpenter.sh");

    NodeGroup {
        nodes = List.copyOf(nodes);
    }

    static List<NodeGroup> of(ClusterFacts facts) {
        var groups = new TreeMap<String, List<Value.Mapping>>();
        facts.ofKind("Node")
                .forEach(
                        node -> {
                            var group = group(node);
                            if (!group.isEmpty()) {
                                groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(node);
                            }
                        });
        return groups.entrySet().stream()
                .map(entry -> new NodeGroup(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String group(Value.Mapping node) {
        return GROUP_LABELS.stream()
                .map(label -> Trees.text(node, "metadata", "labels", label))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    /// The label of the group's nodes, as a selector.
    String selector() {
        var first = nodes.getFirst();
        return GROUP_LABELS.stream()
                        .filter(
                                label ->
                                        Trees.text(first, "metadata", "labels", label).equals(name))
                        .findFirst()
                        .orElse(GROUP_LABELS.getFirst())
                + "="
                + name;
    }

    boolean isManaged() {
        return selector().startsWith(GROUP_LABELS.getFirst());
    }

    Set<String> values(String label) {
        var values = new TreeSet<String>();
        for (var node : nodes) {
            var text = Trees.text(node, "metadata", "labels", label);
            if (!text.isEmpty()) {
                values.add(text);
            }
        }
        return values;
    }

    String words() {
        return "%d nodes, %s, %s"
                .formatted(
                        nodes.size(),
                        String.join(" ", values("node.kubernetes.io/instance-type")),
                        String.join(" ", values("topology.kubernetes.io/zone")));
    }

    /// A draft: what all nodes have in common is asked for.
    Value.Mapping pool(String consolidateAfter) {
        var requirements = new ArrayList<Value>();
        for (var key :
                List.of(
                        "node.kubernetes.io/instance-type",
                        "kubernetes.io/arch",
                        "kubernetes.io/os",
                        "topology.kubernetes.io/zone")) {
            var values = values(key);
            if (!values.isEmpty()) {
                requirements.add(requirement(key, List.copyOf(values)));
            }
        }
        requirements.add(requirement("karpenter.sh/capacity-type", capacityTypes()));
        var spec =
                Tree.of()
                        .putList("requirements", requirements)
                        .put(
                                "nodeClassRef",
                                Tree.of("group", "karpenter.k8s.aws")
                                        .put("kind", "EC2NodeClass")
                                        .put("name", "default"));
        var taints = taints();
        if (!taints.isEmpty()) {
            spec.putList("taints", taints);
        }
        var template = Tree.of();
        var labels = labels();
        if (!labels.isEmpty()) {
            template.put("metadata", Tree.of().putTexts("labels", labels));
        }
        return Tree.of("apiVersion", "karpenter.sh/v1")
                .put("kind", "NodePool")
                .put("metadata", Tree.of("name", name.toLowerCase(Locale.ROOT)))
                .put(
                        "spec",
                        Tree.of("template", template.put("spec", spec))
                                .put(
                                        "disruption",
                                        Tree.of("consolidationPolicy", "WhenEmptyOrUnderutilized")
                                                .put("consolidateAfter", consolidateAfter)))
                .mapping();
    }

    private static Value requirement(String key, List<String> values) {
        return Tree.of("key", key).put("operator", "In").putTextList("values", values).mapping();
    }

    private List<String> capacityTypes() {
        var isSpot = values(CAPACITY).contains("SPOT");
        return List.of(isSpot ? "spot" : "on-demand");
    }

    /// Labels of the user's that all nodes of the group have alike.
    private SequencedMap<String, String> labels() {
        var common = new TreeMap<String, String>();
        if (Trees.find(nodes.getFirst(), "metadata", "labels")
                instanceof Value.Mapping(_, var labels)) {
            labels.forEach(
                    (key, value) -> {
                        if (value instanceof Value.Text(_, var text)
                                && !isSystem(key)
                                && isOnAll(key, text)) {
                            common.put(key, text);
                        }
                    });
        }
        return common;
    }

    private boolean isOnAll(String key, String text) {
        return nodes.stream()
                .allMatch(node -> Trees.text(node, "metadata", "labels", key).equals(text));
    }

    private static boolean isSystem(String key) {
        var slash = key.indexOf('/');
        var domain = slash < 0 ? "" : key.substring(0, slash);
        return SYSTEM.stream().anyMatch(domain::endsWith);
    }

    private List<Value> taints() {
        return Trees.list(nodes.getFirst(), "spec", "taints").stream()
                .filter(
                        taint ->
                                taint instanceof Value.Mapping mapping
                                        && !isSystem(String.valueOf(mapping.text("key"))))
                .toList();
    }
}
