package dev.millwright.testing.e2e.operator;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// A pool of its own for one test, pods that want its nodes, and what became of them.
public final class Fleet {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final ControlPlane plane;
    private final String name;
    private final String namespace;

    private Fleet(ControlPlane plane, String name, String namespace) {
        this.plane = plane;
        this.name = name;
        this.namespace = namespace;
    }

    /// With the definitions installed and a class that is ready.
    public static Fleet of(ControlPlane plane, String name) {
        plane.apply(CustomResources.kwok().text());
        plane.established();
        plane.apply(
                """
                apiVersion: karpenter.kwok.sh/v1alpha1
                kind: KWOKNodeClass
                metadata: {name: default}
                """);
        return new Fleet(plane, name, plane.createNamespace());
    }

    String name() {
        return name;
    }

    String namespace() {
        return namespace;
    }

    public Fleet pool() {
        return pool("");
    }

    /// `more` are further lines of the template's spec, indented by six.
    Fleet pool(String more) {
        plane.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: %s}
                spec:
                  template:
                    spec:
                      requirements:
                      - {key: kubernetes.io/os, operator: In, values: [linux]}
                      - {key: karpenter.kwok.sh/instance-cpu, operator: Lt, values: ["17"]}
                      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
                %s"""
                        .formatted(name, more));
        return this;
    }

    public Fleet deployment(int replicas) {
        return deployment(replicas, "");
    }

    /// `more` are further lines of the pod's spec, indented by six.
    Fleet deployment(int replicas, String more) {
        plane.apply(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: %s}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      nodeSelector: {karpenter.sh/nodepool: %s}
                      containers:
                      - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
                %s"""
                        .formatted(namespace, replicas, name, more));
        return this;
    }

    public Fleet running(int pods) {
        Eventually.see(
                "%d pods of %s run".formatted(pods, namespace),
                LIMIT,
                () -> podsIn("Running"),
                count -> count == pods);
        return this;
    }

    int podsIn(String phase) {
        return names("pods", "-n", namespace, "--field-selector=status.phase=" + phase).size();
    }

    List<String> claims() {
        return names("nodeclaims", "-l", "karpenter.sh/nodepool=" + name);
    }

    List<String> nodes() {
        return names("nodes", "-l", "karpenter.sh/nodepool=" + name);
    }

    private List<String> names(String... what) {
        var arguments = new String[what.length + 2];
        arguments[0] = "get";
        System.arraycopy(what, 0, arguments, 1, what.length);
        arguments[what.length + 1] = "-o=jsonpath={range .items[*]}{.metadata.name}{\"\\n\"}{end}";
        return Arrays.stream(plane.kubectl(arguments).split("\n", -1))
                .filter(line -> !line.isBlank())
                .sorted()
                .toList();
    }

    /// Every claim has exactly one node, every node exactly one claim.
    public Fleet paired() {
        Eventually.see(
                "every claim of %s has its node".formatted(name),
                LIMIT,
                () -> List.of(claimedNodes(), nodes()),
                pair -> pair.getFirst().equals(pair.getLast()));
        return this;
    }

    private List<String> claimedNodes() {
        return Arrays.stream(
                        plane.kubectl(
                                        "get",
                                        "nodeclaims",
                                        "-l",
                                        "karpenter.sh/nodepool=" + name,
                                        "-o=jsonpath={range .items[*]}{.status.nodeName}{\"\\n\"}{end}")
                                .split("\n", -1))
                .filter(line -> !line.isBlank())
                .sorted()
                .toList();
    }

    /// Nothing is left of the fleet: pods, claims, nodes.
    public void removed() {
        plane.kubectl("delete", "namespace", namespace, "--wait=false");
        plane.kubectl("delete", "nodepool", name, "--wait=false", "--ignore-not-found");
        Eventually.see(
                "nothing is left of " + name,
                LIMIT,
                () -> List.of(claims(), nodes()),
                left -> left.stream().allMatch(List::isEmpty));
    }
}
