package dev.millwright.controllers.metrics.node;

import dev.millwright.controllers.metrics.Amounts;
import dev.millwright.controllers.metrics.NodeFamilies;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.List;

/// All that is told of one node's resources. Two that are equal need to be told once.
record NodeFigures(List<String> labels, Resources overhead, Resources allocatable, Load load) {

    /// What the pods of a node ask for; those of daemons are among them and told again.
    record Load(
            Resources podRequests,
            Resources podLimits,
            Resources daemonRequests,
            Resources daemonLimits) {

        /// Pods that have ended hold nothing.
        static Load of(List<PodObject> pods) {
            var running = new ArrayList<PodObject>();
            var daemons = new ArrayList<PodObject>();
            for (var pod : pods) {
                if (!pod.isTerminal()) {
                    running.add(pod);
                    if (pod.pod().state().isOwnedByDaemonSet()) {
                        daemons.add(pod);
                    }
                }
            }
            return new Load(requests(running), limits(running), requests(daemons), limits(daemons));
        }

        private static Resources requests(List<PodObject> pods) {
            return Resources.sum(() -> pods.stream().map(pod -> pod.pod().requests()).iterator());
        }

        private static Resources limits(List<PodObject> pods) {
            return Resources.sum(() -> pods.stream().map(PodObject::limits).iterator());
        }
    }

    NodeFigures {
        labels = List.copyOf(labels);
    }

    static NodeFigures of(
            NodeFamilies families, NodeObject node, boolean isManaged, List<PodObject> pods) {
        var labels = new ArrayList<String>();
        labels.add(node.name().name());
        labels.add(node.phase());
        labels.add(Boolean.toString(isManaged));
        families.keys().values().forEach(key -> labels.add(node.meta().label(key)));
        var allocatable = node.node().allocatable();
        return new NodeFigures(
                labels, node.node().capacity().minus(allocatable), allocatable, Load.of(pods));
    }

    List<GaugeSample> samples(NodeFamilies.Resources families) {
        var samples = new ArrayList<GaugeSample>();
        add(samples, families.allocatable(), allocatable);
        add(samples, families.systemOverhead(), overhead);
        add(samples, families.podRequests(), load.podRequests());
        add(samples, families.podLimits(), load.podLimits());
        add(samples, families.daemonRequests(), load.daemonRequests());
        add(samples, families.daemonLimits(), load.daemonLimits());
        return samples;
    }

    private void add(List<GaugeSample> samples, MetricFamily family, Resources resources) {
        samples.addAll(
                Amounts.gauges(
                        family,
                        resources,
                        resource -> {
                            var all = new ArrayList<>(labels);
                            all.add(resource);
                            return all;
                        }));
    }
}
