package dev.millwright.testing.e2e.addons;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A workload cluster with nodes for the operator's pods and, once its definitions are there, nodes
/// that the operator made, with pods on them.
final class KarpenterCluster implements AutoCloseable {

    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-east-1c");

    final ControlPlane plane;

    KarpenterCluster() {
        this(ControlPlane.start(ControlPlane.Options.all()));
    }

    KarpenterCluster(ControlPlane plane) {
        this.plane = plane;
        ZONES.forEach(zone -> plane.apply(node("system-" + zone, zone, "role: system")));
    }

    private static String node(String name, String zone, String label) {
        return """
        apiVersion: v1
        kind: Node
        metadata:
          name: %1$s
          annotations: {kwok.x-k8s.io/node: fake}
          labels:
            kubernetes.io/hostname: %1$s
            kubernetes.io/os: linux
            kubernetes.io/arch: amd64
            topology.kubernetes.io/zone: %2$s
            %3$s
        """
                .formatted(name, zone, label);
    }

    /// What Karpenter's chart brings along. The one we have comes from a Go module, and those leave
    /// out links, such as its folder of definitions is.
    void define() {
        CustomResources.aws().definitions().values().forEach(plane::apply);
        plane.established();
    }

    /// Nodes with their NodeClaims, as the operator would have made them, and pods that run there.
    void grow() {
        for (var zone : ZONES.subList(0, 2)) {
            var name = "worker-" + zone;
            plane.apply(node(name, zone, "karpenter.sh/nodepool: default"));
            plane.apply(
                    """
                    apiVersion: karpenter.sh/v1
                    kind: NodeClaim
                    metadata: {name: %s, labels: {karpenter.sh/nodepool: default}}
                    spec:
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                      requirements: [{key: topology.kubernetes.io/zone, operator: In, values: [%s]}]
                    """
                            .formatted(name, zone));
        }
        plane.apply(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: shop, namespace: default}
                spec:
                  replicas: 4
                  selector: {matchLabels: {app: shop}}
                  template:
                    metadata: {labels: {app: shop}}
                    spec:
                      nodeSelector: {karpenter.sh/nodepool: default}
                      containers: [{name: shop, image: shop}]
                """);
        plane.kubectl("rollout", "status", "deployment/shop", "--timeout=60s");
    }

    /// All that a restart, a replacement or a drain would change.
    String workers() {
        return String.join(
                "\n",
                list(
                        "nodes",
                        "{.metadata.name} {.metadata.uid} {.status.nodeInfo.bootID} {.spec}",
                        "karpenter.sh/nodepool"),
                list(
                        "nodeclaims",
                        "{.metadata.name} {.metadata.uid} {.metadata.resourceVersion}",
                        "karpenter.sh/nodepool"),
                list(
                        "pods",
                        "{.metadata.name} {.metadata.uid} {.spec.nodeName} {.status.startTime}"
                                + " {.status.containerStatuses[*].restartCount}",
                        "app=shop"));
    }

    String list(String kind, String fields, String selector) {
        return plane.kubectl(
                "get",
                kind,
                "-l",
                selector,
                "-o",
                "jsonpath={range .items[*]}%s{\"\\n\"}{end}".formatted(fields));
    }

    /// One field of an object of the namespace karpenter, or of the whole cluster.
    String field(String object, String path) {
        return plane.kubectl(
                "get",
                object,
                "-n=karpenter",
                "--ignore-not-found",
                "-o",
                "jsonpath=" + path.replace("'", ""));
    }

    /// Writes down what becomes of nodes until it is closed.
    Watch watch(Path file) {
        return new Watch(file);
    }

    final class Watch implements AutoCloseable {

        private final Path file;
        private final Process process;

        private Watch(Path file) {
            this.file = file;
            try {
                process =
                        new ProcessBuilder(
                                        ControlPlane.binary("kubectl").toString(),
                                        "--kubeconfig=" + plane.kubeconfig(),
                                        "get",
                                        "nodes",
                                        "--watch",
                                        "--output-watch-events")
                                .redirectErrorStream(true)
                                .redirectOutput(file.toFile())
                                .start();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            Eventually.see("the watch sees nodes", this::text, seen -> seen.contains("worker-"));
        }

        private String text() {
            try {
                return Files.readString(file);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        /// The names of nodes that went, up to now: a node that joins last is waited for.
        List<String> gone() {
            plane.apply(node("last", ZONES.getLast(), "role: last"));
            Eventually.see("the watch is alive", this::text, seen -> seen.contains("last"));
            plane.kubectl("delete", "node", "last", "--wait=false");
            return text().lines()
                    .filter(line -> line.startsWith("DELETED"))
                    .filter(line -> !line.contains("last"))
                    .toList();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    @Override
    public void close() {
        plane.close();
    }
}
