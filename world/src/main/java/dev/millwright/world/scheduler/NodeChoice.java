package dev.millwright.world.scheduler;

import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.Reading;

/// Which nodes a pod's spec asks for, whatever is on them.
public final class NodeChoice {

    private NodeChoice() {}

    /// Whether name, node selector and required node affinity let the pod be on the node.
    public static boolean matches(Value.Mapping spec, NodeFacts node) {
        var name = Reading.text(spec, "nodeName");
        if (!name.isEmpty() && !name.equals(node.name())) {
            return false;
        }
        for (var entry : Reading.texts(spec, "nodeSelector").entrySet()) {
            if (!entry.getValue().equals(node.labels().get(entry.getKey()))) {
                return false;
            }
        }
        var required =
                Reading.at(
                        spec,
                        "affinity",
                        "nodeAffinity",
                        "requiredDuringSchedulingIgnoredDuringExecution");
        return !(required instanceof Value.Mapping selector)
                || NodeTerm.anyMatches(NodeTerm.list(selector), node.name(), node.labels());
    }
}
