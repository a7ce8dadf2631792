package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A node that is there or on its way, as it stands before the pass: what it has left and what is
/// on it.
record NodeRoom(
        StateNode node,
        Requirements labels,
        List<Taint> taints,
        Resources available,
        List<HostPort> hostPorts,
        SequencedMap<String, SequencedSet<ObjectName>> attachments) {

    /// @param pods the pods bound to the node
    /// @param daemons the representatives of all DaemonSets
    static NodeRoom of(
            StateNode node,
            List<Pod> pods,
            List<Pod> daemons,
            VolumeReader volumes,
            LabelVocabulary vocabulary) {
        var own = vocabulary.labels(node.labels());
        var labels = own.replace(Requirement.in(LabelKeys.HOSTNAME, node.hostName()));
        var taints = node.taints();
        var used = Resources.NONE;
        var usedByDaemons = Resources.NONE;
        var ports = new ArrayList<HostPort>();
        var attachments = new TreeMap<String, SequencedSet<ObjectName>>();
        for (var pod : pods) {
            if (pod.state().isTerminal()) {
                continue;
            }
            used = used.plus(pod.requests());
            if (pod.state().isOwnedByDaemonSet()) {
                usedByDaemons = usedByDaemons.plus(pod.requests());
            }
            ports.addAll(pod.hostPorts());
            volumes.attachments(pod)
                    .forEach(
                            (driver, claims) ->
                                    attachments
                                            .computeIfAbsent(driver, _ -> new TreeSet<>())
                                            .addAll(claims));
        }
        var expected = DaemonGroup.expectedOn(daemons, taints, own, vocabulary);
        var kept = expected.minus(usedByDaemons).flooredAtZero();
        var available = node.allocatable().minus(used).minus(kept);
        return new NodeRoom(node, labels, taints, available, ports, attachments);
    }
}
