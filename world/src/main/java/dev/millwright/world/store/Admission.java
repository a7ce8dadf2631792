package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer.Refused;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.kind.Kinds;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// What the server fills into a new object by looking at others: the priority of a pod's class, the
/// labels of the node it is on, the class of a claim that names none.
final class Admission {

    /// The objects that are there.
    interface Sight {
        Value.@Nullable Mapping find(ResourceType type, ObjectName name);

        List<Value.Mapping> all(ResourceType type);
    }

    sealed interface Outcome {
        record Refusal(Refused refused) implements Outcome {}

        record Admitted(Value.Mapping object) implements Outcome {}
    }

    private static final Map<String, Long> SYSTEM_CLASSES =
            Map.of(
                    "system-cluster-critical",
                    2_000_000_000L,
                    "system-node-critical",
                    2_000_001_000L);

    private static final List<String> TOPOLOGY =
            List.of("topology.kubernetes.io/region", "topology.kubernetes.io/zone");

    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private final Sight sight;

    Admission(Sight sight) {
        this.sight = sight;
    }

    Outcome admit(ResourceType type, Value.Mapping object) {
        if (type.equals(ResourceType.POD)) {
            return pod(object);
        }
        return new Outcome.Admitted(
                type.equals(ResourceType.PERSISTENT_VOLUME_CLAIM) ? claim(object) : object);
    }

    private Outcome pod(Value.Mapping pod) {
        var spec = Trees.mapping(pod, "spec");
        var named = Trees.text(spec, "priorityClassName");
        var found = named.isEmpty() ? defaultClass() : priorityClass(named);
        if (found == null && !named.isEmpty()) {
            return new Outcome.Refusal(
                    forbidden(pod, "no PriorityClass with name %s was found".formatted(named)));
        }
        var value = found == null ? null : Trees.number(found, "value");
        var priority = value == null ? 0 : value;
        var stated = Trees.number(spec, "priority");
        if (stated != null && stated != priority) {
            return new Outcome.Refusal(
                    forbidden(
                            pod,
                            "the integer value of priority (%d) must not be provided in pod spec;"
                                            .formatted(stated)
                                    + " priority admission controller computed %d from the given"
                                            .formatted(priority)
                                    + " PriorityClass name"));
        }
        var policy = found == null ? "" : Trees.text(found, "preemptionPolicy");
        var ranked =
                Trees.changed(
                        spec,
                        fields -> {
                            if (found != null) {
                                fields.put(
                                        "priorityClassName", Trees.text(Trees.meta(found, "name")));
                            }
                            fields.put("priority", Trees.number(priority));
                            fields.put(
                                    "preemptionPolicy",
                                    Trees.text(policy.isEmpty() ? "PreemptLowerPriority" : policy));
                        });
        return new Outcome.Admitted(
                withTopology(gated(Trees.with(pod, "spec", ranked)), Trees.text(spec, "nodeName")));
    }

    private static Refused forbidden(Value.Mapping pod, String why) {
        return new Refused(
                403,
                "Forbidden",
                "pods \"%s\" is forbidden: %s".formatted(Trees.meta(pod, "name"), why));
    }

    private Value.@Nullable Mapping priorityClass(String name) {
        var value = SYSTEM_CLASSES.get(name);
        return value == null
                ? sight.find(Kinds.PRIORITY_CLASS, new ObjectName("", name))
                : Tree.of("metadata", Tree.of("name", name)).put("value", value).mapping();
    }

    private Value.@Nullable Mapping defaultClass() {
        Value.Mapping least = null;
        for (var each : sight.all(Kinds.PRIORITY_CLASS)) {
            if (Trees.isTrue(each, "globalDefault")
                    && (least == null || rank(each) < rank(least))) {
                least = each;
            }
        }
        return least;
    }

    private static long rank(Value.Mapping priorityClass) {
        var value = Trees.number(priorityClass, "value");
        return value == null ? 0 : value;
    }

    private static Value.Mapping gated(Value.Mapping pod) {
        if (Trees.list(pod, "spec", "schedulingGates").isEmpty()) {
            return pod;
        }
        return Conditions.put(
                pod,
                Tree.of("type", "PodScheduled")
                        .put("status", "False")
                        .put("reason", "SchedulingGated")
                        .put("message", "Scheduling is blocked due to non-empty scheduling gates"),
                Trees.meta(pod, "creationTimestamp"));
    }

    /// The pod with the zone and region of its node as labels.
    Value.Mapping withTopology(Value.Mapping pod, String nodeName) {
        var node =
                nodeName.isEmpty()
                        ? null
                        : sight.find(ResourceType.NODE, new ObjectName("", nodeName));
        if (node == null) {
            return pod;
        }
        var labels = Trees.mapping(node, "metadata", "labels");
        var known = TOPOLOGY.stream().filter(labels.fields()::containsKey).toList();
        if (known.isEmpty()) {
            return pod;
        }
        var own = Trees.mapping(pod, "metadata", "labels");
        for (var key : known) {
            own = Trees.copied(own, labels, key);
        }
        var more = own;
        return Trees.withMeta(pod, meta -> meta.put("labels", more));
    }

    /// The default class made last; of those made at once the first by name.
    private Value.Mapping claim(Value.Mapping claim) {
        var spec = Trees.mapping(claim, "spec");
        if (spec.fields().containsKey("storageClassName")) {
            return claim;
        }
        Value.Mapping newest = null;
        for (var each : sight.all(ResourceType.STORAGE_CLASS)) {
            var isDefault =
                    Trees.text(each, "metadata", "annotations", DEFAULT_CLASS).equals("true");
            if (isDefault
                    && (newest == null
                            || Trees.meta(newest, "creationTimestamp")
                                            .compareTo(Trees.meta(each, "creationTimestamp"))
                                    < 0)) {
                newest = each;
            }
        }
        return newest == null
                ? claim
                : Trees.with(
                        claim,
                        "spec",
                        Trees.with(
                                spec, "storageClassName", Trees.text(Trees.meta(newest, "name"))));
    }
}
