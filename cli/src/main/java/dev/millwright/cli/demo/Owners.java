package dev.millwright.cli.demo;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState.Owner;

/// Whose a pod is, as a person knows it: the application's name, not that of its ReplicaSet.
final class Owners {

    /// The label that the demo's manifests carry.
    static final String LABEL = "app";

    private Owners() {}

    static String of(Pod pod) {
        var label = pod.labels().get(LABEL);
        if (label != null) {
            return label;
        }
        return pod.state().owners().stream()
                .filter(Owner::isController)
                .findFirst()
                .map(Owner::name)
                .orElse(pod.name().name());
    }

    static boolean isDaemon(Pod pod) {
        return pod.state().owners().stream().anyMatch(owner -> owner.kind().equals("DaemonSet"));
    }
}
