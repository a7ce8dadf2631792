package dev.millwright.testing.e2e.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A cluster as Karpenter 0.28 left it: a Provisioner, nodes with its label, Machines for half of
/// them, and pods that run there.
final class OldCluster {

    static final String PROVISIONER = "old";

    private final ControlPlane plane;
    private final int nodes;

    private OldCluster(ControlPlane plane, int nodes) {
        this.plane = plane;
        this.nodes = nodes;
    }

    static OldCluster of(ControlPlane plane, int nodes) {
        var cluster = new OldCluster(plane, nodes);
        plane.apply(resource("old-crds.yaml"));
        plane.apply(CustomResources.kwok().withAws().text());
        plane.established();
        plane.apply(
                """
                apiVersion: karpenter.kwok.sh/v1alpha1
                kind: KWOKNodeClass
                metadata: {name: default}
                ---
                apiVersion: karpenter.sh/v1alpha5
                kind: Provisioner
                metadata: {name: %s}
                spec:
                  providerRef: {apiVersion: karpenter.kwok.sh/v1alpha1, kind: KWOKNodeClass, name: default}
                  requirements:
                  - {key: node.kubernetes.io/instance-type, operator: In, values: [c-2x-amd64-linux, c-4x-amd64-linux]}
                  labels: {team: shop}
                  limits: {resources: {cpu: 1000}}
                  ttlSecondsAfterEmpty: 30
                  ttlSecondsUntilExpired: 2592000
                """
                        .formatted(PROVISIONER));
        plane.apply(cluster.all(0, nodes, OldCluster::node));
        plane.apply(cluster.all(0, nodes / 2, OldCluster::machine));
        return cluster;
    }

    static String resource(String name) {
        try (var stream = OldCluster.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is not beside the classes");
            }
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @FunctionalInterface
    private interface Document {
        String of(int number);
    }

    private String all(int from, int to, Document document) {
        return IntStream.range(from, to)
                .mapToObj(document::of)
                .collect(Collectors.joining("---\n"));
    }

    private static String node(int number) {
        return """
        apiVersion: v1
        kind: Node
        metadata:
          name: old-%1$d
          labels:
            karpenter.sh/provisioner-name: %2$s
            karpenter.sh/capacity-type: on-demand
            karpenter.sh/initialized: "true"
            karpenter.k8s.aws/instance-pods: "29"
            karpenter.kwok.sh/instance-cpu: "2"
            karpenter.kwok.sh/instance-memory: "4096"
            karpenter.kwok.sh/instance-family: c
            karpenter.kwok.sh/instance-size: 2x
            kubernetes.io/arch: amd64
            kubernetes.io/os: linux
            kubernetes.io/hostname: old-%1$d
            node.kubernetes.io/instance-type: c-2x-amd64-linux
            topology.kubernetes.io/zone: test-zone-a
            team: shop
          annotations: {kwok.x-k8s.io/node: fake}
          finalizers: [karpenter.sh/termination]
        spec: {providerID: "kwok://old-%1$d"}
        status:
          allocatable: {cpu: 1900m, memory: 4Gi, pods: "110"}
          capacity: {cpu: "2", memory: 4Gi, pods: "110"}
        """
                .formatted(number, PROVISIONER);
    }

    private static String machine(int number) {
        return """
        apiVersion: karpenter.sh/v1alpha5
        kind: Machine
        metadata:
          name: %2$s-m%1$d
          labels: {karpenter.sh/provisioner-name: %2$s}
          finalizers: [karpenter.sh/termination]
        spec:
          machineTemplateRef: {apiVersion: karpenter.kwok.sh/v1alpha1, kind: KWOKNodeClass, name: default}
          requirements: []
          resources: {requests: {cpu: "1"}}
        status: {providerID: "kwok://old-%1$d", nodeName: old-%1$d}
        """
                .formatted(number, PROVISIONER);
    }

    /// One pod a node, by the old label.
    OldCluster running(String namespace) {
        plane.apply(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: %s}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata:
                      labels: {app: web}
                      annotations: {karpenter.sh/do-not-evict: "true"}
                    spec:
                      terminationGracePeriodSeconds: 1
                      nodeSelector: {karpenter.sh/provisioner-name: %s}
                      containers:
                      - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
                """
                        .formatted(namespace, nodes, PROVISIONER));
        Eventually.see(
                "%d pods run".formatted(nodes),
                Duration.ofMinutes(2),
                () -> lines("pods", "-n", namespace, "--field-selector=status.phase=Running"),
                pods -> pods.size() == nodes);
        return this;
    }

    /// Of each object a line with what a restart or a replacement would change.
    List<String> lines(String... what) {
        return look("{.metadata.name} {.metadata.uid} {.spec.nodeName} {.status.startTime}", what);
    }

    /// Of each node all its labels.
    List<String> labels() {
        return look(
                "{.metadata.name} {.metadata.labels} {.metadata.finalizers} {.metadata.ownerReferences}",
                "nodes",
                "-l",
                "kubernetes.io/hostname,!millwright-test");
    }

    List<String> look(String row, String... what) {
        var arguments = new String[what.length + 2];
        arguments[0] = "get";
        System.arraycopy(what, 0, arguments, 1, what.length);
        arguments[what.length + 1] = "-o=jsonpath={range .items[*]}" + row + "{\"\\n\"}{end}";
        return Arrays.stream(plane.kubectl(arguments).split("\n", -1))
                .filter(line -> !line.isBlank())
                .sorted()
                .toList();
    }
}
