package dev.millwright.testing.e2e.world;

import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.kind.Kinds;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// What two control planes must agree on once they are quiet: everything but generated names,
/// times, identities and whom chance chose.
final class Facts {

    private static final Map<ResourceType, List<String>> NUMBERS =
            Map.of(
                    ResourceType.DEPLOYMENT,
                            List.of(
                                    "replicas",
                                    "updatedReplicas",
                                    "readyReplicas",
                                    "availableReplicas",
                                    "unavailableReplicas",
                                    "observedGeneration"),
                    ResourceType.STATEFUL_SET,
                            List.of(
                                    "replicas",
                                    "readyReplicas",
                                    "availableReplicas",
                                    "observedGeneration"),
                    ResourceType.DAEMON_SET,
                            List.of(
                                    "desiredNumberScheduled",
                                    "currentNumberScheduled",
                                    "numberReady",
                                    "numberAvailable",
                                    "numberMisscheduled",
                                    "updatedNumberScheduled",
                                    "observedGeneration"),
                    Kinds.JOB, List.of("succeeded", "failed", "active"),
                    ResourceType.POD_DISRUPTION_BUDGET,
                            List.of(
                                    "expectedPods",
                                    "currentHealthy",
                                    "desiredHealthy",
                                    "disruptionsAllowed",
                                    "observedGeneration"));

    private Facts() {}

    static Map<String, String> of(Side side, String namespace) {
        var facts = new TreeMap<String, String>();
        NUMBERS.forEach(
                (type, fields) ->
                        side.list(type, namespace)
                                .forEach(
                                        object ->
                                                facts.put(
                                                        type.kind() + " " + name(object),
                                                        numbers(object, fields))));
        sets(side, namespace).forEach((set, text) -> facts.put("ReplicaSets of " + set, text));
        pods(side, namespace)
                .forEach((pod, count) -> facts.put("pods " + pod, Integer.toString(count)));
        return facts;
    }

    private static String name(Value.Mapping object) {
        return Metadata.of(object).name().name();
    }

    private static String numbers(Value.Mapping object, List<String> fields) {
        var numbers = new ArrayList<String>();
        for (var field : fields) {
            numbers.add(field + " " + Reading.number(0, object, "status", field));
        }
        for (var condition : Reading.list(object, "status", "conditions")) {
            if (Reading.text(condition, "type").equals("DisruptionAllowed")) {
                numbers.add(Reading.text(condition, "reason"));
            }
        }
        return String.join(", ", numbers);
    }

    private static Map<String, String> sets(Side side, String namespace) {
        var sets = new TreeMap<String, List<String>>();
        for (var set : side.list(ResourceType.REPLICA_SET, namespace)) {
            var owner = PodFacts.controller(Reading.mapping(set, "metadata"));
            sets.computeIfAbsent(owner == null ? "" : owner.name(), _ -> new ArrayList<>())
                    .add(
                            "revision %s wants %d has %d"
                                    .formatted(
                                            Reading.text(
                                                    set,
                                                    "metadata",
                                                    "annotations",
                                                    "deployment.kubernetes.io/revision"),
                                            Reading.number(0, set, "spec", "replicas"),
                                            Reading.number(0, set, "status", "replicas")));
        }
        var texts = new TreeMap<String, String>();
        sets.forEach((owner, all) -> texts.put(owner, new TreeSet<>(all).toString()));
        return texts;
    }

    /// Pods that cannot be told apart, and how many there are of each.
    private static Map<String, Integer> pods(Side side, String namespace) {
        var counts = new TreeMap<String, Integer>();
        for (var object : side.list(ResourceType.POD, namespace)) {
            counts.merge(pod(PodFacts.of(object, null)), 1, Integer::sum);
        }
        return counts;
    }

    private static String pod(PodFacts pod) {
        var owner = pod.controller();
        var labels = new TreeMap<>(pod.labels());
        labels.keySet().removeIf(key -> key.contains("hash") || key.contains("uid"));
        labels.remove("pod-template-generation");
        var isNumbered = owner != null && owner.kind().equals("StatefulSet");
        return "%s of %s %s %s on %s %s tolerating %s"
                .formatted(
                        isNumbered || owner == null ? pod.name().name() : "",
                        owner == null ? "nobody" : owner.kind(),
                        labels,
                        pod.phase(),
                        pod.nodeName(),
                        pod.isReady() && !pod.isTerminal() ? "ready" : "not ready",
                        tolerations(pod));
    }

    private static List<String> tolerations(PodFacts pod) {
        return Reading.list(pod.object(), "spec", "tolerations").stream()
                .map(JsonWriter::text)
                .sorted()
                .toList();
    }
}
