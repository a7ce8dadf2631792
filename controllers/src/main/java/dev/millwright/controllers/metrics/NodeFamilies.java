package dev.millwright.controllers.metrics;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The families about single nodes. Their labels hold a node's well-known labels, of which the
/// provider may have more than we know: so they are made when it is known.
///
/// `keys` maps a metric's label to the key of the node's label it shows, in the metric's order.
public record NodeFamilies(
        Resources resources, MetricFamily currentLifetime, SequencedMap<String, String> keys) {

    /// Amounts by resource. Labels: node_name, phase, managed, the keys, resource_type.
    public record Resources(
            MetricFamily allocatable,
            MetricFamily podRequests,
            MetricFamily podLimits,
            MetricFamily daemonRequests,
            MetricFamily daemonLimits,
            MetricFamily systemOverhead) {}

    public NodeFamilies {
        keys = Collections.unmodifiableSequencedMap(new TreeMap<>(keys));
    }

    public static NodeFamilies of(LabelVocabulary vocabulary) {
        var keys = new TreeMap<String, String>();
        // Two keys may share a name part; the first by order of keys has it.
        vocabulary.wellKnown().forEach(key -> keys.putIfAbsent(LabelNames.ofNamePart(key), key));
        var labels = new ArrayList<>(List.of("node_name", "phase", "managed"));
        labels.addAll(keys.keySet());
        var lifetime = family("current_lifetime_seconds", "Age of a node.", labels);
        labels.add("resource_type");
        return new NodeFamilies(
                new Resources(
                        family("allocatable", "What pods may take of a node.", labels),
                        family(
                                "total_pod_requests",
                                "What the pods of a node request, daemons included.",
                                labels),
                        family(
                                "total_pod_limits",
                                "What the pods of a node are limited to, daemons included.",
                                labels),
                        family(
                                "total_daemon_requests",
                                "What the daemons of a node request.",
                                labels),
                        family(
                                "total_daemon_limits",
                                "What the daemons of a node are limited to.",
                                labels),
                        family(
                                "system_overhead",
                                "What a node has and pods may not take.",
                                labels)),
                lifetime,
                keys);
    }

    private static MetricFamily family(String name, String help, List<String> labels) {
        return new MetricFamily(
                "karpenter_nodes_" + name, MetricFamily.Type.GAUGE, labels, help, List.of());
    }

    public List<MetricFamily> all() {
        return List.of(
                resources.allocatable(),
                resources.podRequests(),
                resources.podLimits(),
                resources.daemonRequests(),
                resources.daemonLimits(),
                resources.systemOverhead(),
                currentLifetime);
    }
}
