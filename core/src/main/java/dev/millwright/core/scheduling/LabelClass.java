package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Namespace and labels as far as selectors look at them. It knows which groups count its pods.
final class LabelClass {

    private final String namespace;
    private final Map<String, String> labels;
    private final Topology topology;
    private final List<TopologyGroup> selecting = new ArrayList<>();
    private final List<TopologyGroup> keptAwayBy = new ArrayList<>();
    private int groupsSeen;
    private int inverseSeen;

    LabelClass(String namespace, Map<String, String> labels, Topology topology) {
        this.namespace = namespace;
        this.labels = labels;
        this.topology = topology;
    }

    /// Groups that count these pods. Groups made since the last call are looked at first.
    List<TopologyGroup> selecting() {
        var groups = topology.groups();
        for (; groupsSeen < groups.size(); groupsSeen++) {
            var group = groups.get(groupsSeen);
            if (group.selects(namespace, labels)) {
                selecting.add(group);
            }
        }
        return selecting;
    }

    /// Inverse groups that keep these pods away from where their owners are.
    List<TopologyGroup> keptAwayBy() {
        var groups = topology.inverseGroups();
        for (; inverseSeen < groups.size(); inverseSeen++) {
            var group = groups.get(inverseSeen);
            if (group.selects(namespace, labels)) {
                keptAwayBy.add(group);
            }
        }
        return keptAwayBy;
    }

    boolean isSelectedBy(TopologyGroup group) {
        return group.selects(namespace, labels);
    }
}
