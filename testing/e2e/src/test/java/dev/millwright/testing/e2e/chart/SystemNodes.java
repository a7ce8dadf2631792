package dev.millwright.testing.e2e.chart;

import dev.millwright.testing.e2e.ControlPlane;

import java.util.List;

/// A small group of nodes that nobody manages, one in each zone, for the controller's pods; kwok
/// plays their kubelets.
final class SystemNodes {

    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-east-1c");

    private SystemNodes() {}

    static void join(ControlPlane plane) {
        ZONES.forEach(zone -> plane.apply(node("system-" + zone, zone)));
    }

    private static String node(String name, String zone) {
        return """
        apiVersion: v1
        kind: Node
        metadata:
          name: %s
          annotations: {kwok.x-k8s.io/node: fake}
          labels:
            kubernetes.io/hostname: %s
            kubernetes.io/os: linux
            kubernetes.io/arch: amd64
            topology.kubernetes.io/zone: %s
            workload-type: system
        spec:
          taints:
          - {key: workload-type, value: system, effect: NoSchedule}
        """
                .formatted(name, name, zone);
    }
}
