package dev.millwright.cli.demo;

import dev.millwright.core.cluster.Pod;

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
        var controller = pod.state().controller();
        return controller == null ? pod.name().name() : controller.name();
    }

    static boolean isDaemon(Pod pod) {
        return pod.state().owners().stream().anyMatch(owner -> owner.kind().equals("DaemonSet"));
    }
}
