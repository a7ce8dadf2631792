package dev.millwright.world.store;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

/// What a scheduler's choice makes of a pod. It changes nothing itself.
final class Binding {

    private Binding() {}

    /// Why the pod cannot be bound; null where it can.
    static @Nullable String refusal(Value.Mapping pod) {
        var name = Trees.meta(pod, "name");
        if (!Trees.meta(pod, Deletion.TIME).isEmpty()) {
            return "pod %s is being deleted, cannot be assigned to a host".formatted(name);
        }
        var bound = Trees.text(pod, "spec", "nodeName");
        if (!bound.isEmpty()) {
            return "pod %s is already assigned to node \"%s\"".formatted(name, bound);
        }
        return Trees.list(pod, "spec", "schedulingGates").isEmpty()
                ? null
                : "pod %s has non-empty .spec.schedulingGates".formatted(name);
    }

    static Value.Mapping bound(Value.Mapping pod, String nodeName, String now) {
        var spec = Trees.with(Trees.mapping(pod, "spec"), "nodeName", Trees.text(nodeName));
        var status = Trees.without(Trees.mapping(pod, "status"), "nominatedNodeName");
        var placed =
                Trees.changed(
                        pod,
                        fields -> {
                            fields.put("spec", spec);
                            fields.put("status", status);
                        });
        return Conditions.put(placed, Tree.of("type", "PodScheduled").put("status", "True"), now);
    }
}
