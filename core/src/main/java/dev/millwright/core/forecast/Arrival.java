package dev.millwright.core.forecast;

import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;

import java.util.TreeMap;

/// The node of a claim that was under way when the forecast began, once it is up.
final class Arrival {

    private Arrival() {}

    static Node of(StateNode coming) {
        var labels = new TreeMap<>(coming.labels());
        labels.putIfAbsent(LabelKeys.HOSTNAME, coming.name());
        labels.put(LabelKeys.REGISTERED, "true");
        labels.put(LabelKeys.INITIALIZED, "true");
        var claim = coming.claim();
        var node = coming.node();
        return new Node(
                coming.name(),
                claim == null ? "" : claim.providerId(),
                labels,
                node == null ? new TreeMap<>() : node.annotations(),
                coming.taints(),
                coming.capacity(),
                coming.allocatable(),
                coming.volumeLimits(),
                false);
    }
}
