package dev.millwright.testing.kit;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.ObjectName;

import java.util.function.UnaryOperator;

/// A DaemonSet in the making, known by the pod it runs.
public record DaemonSetBuilder(String name, PodBuilder template) implements ClusterPart {

    /// Changes the pod of the set, e.g. `daemonSet("agent").pod(pod -> pod.cpu("1"))`.
    public DaemonSetBuilder pod(UnaryOperator<PodBuilder> change) {
        return new DaemonSetBuilder(name, change.apply(template));
    }

    public DaemonSetBuilder cpu(String quantity) {
        return pod(pod -> pod.cpu(quantity));
    }

    public DaemonSetBuilder memory(String quantity) {
        return pod(pod -> pod.memory(quantity));
    }

    public DaemonSet build() {
        return new DaemonSet(
                new ObjectName(template.pod().name().namespace(), name),
                "uid-" + name,
                template.pod());
    }
}
