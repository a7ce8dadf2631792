package dev.millwright.testing.e2e.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.aws.Kubelets;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Instances of EC2 that an old Provisioner launched go on as NodeClaims of its NodePool.
@Tag("long")
final class AwsAdoptIT {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration COMMAND_MAX = Duration.ofMinutes(4);

    private static final String OLD_LABELS =
            """
            {"metadata":{"ownerReferences":null,"labels":{"karpenter.sh/provisioner-name":"default",
             "karpenter.sh/nodepool":null,"karpenter.k8s.aws/ec2nodeclass":null,"karpenter.sh/registered":null}}}
            """;

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private ControlPlane plane;
    private Kubelets kubelets;

    @BeforeEach
    void start() {
        endpoint.fixture();
        plane = ControlPlane.start(ControlPlane.Options.all());
        plane.apply(OldCluster.resource("old-crds.yaml"));
        plane.apply(CustomResources.aws().text());
        plane.established();
        kubelets = new Kubelets(endpoint, plane);
    }

    @AfterEach
    void stop() {
        kubelets.close();
        plane.close();
    }

    private OperatorProcess operator() {
        return OperatorProcess.start(
                plane,
                Map.of(
                        "MILLWRIGHT_PROVIDER",
                        "aws",
                        "CLUSTER_NAME",
                        AwsEndpoint.CLUSTER,
                        "AWS_REGION",
                        AwsEndpoint.REGION,
                        "AWS_ENDPOINT_URL",
                        endpoint.uri().toString(),
                        "AWS_ACCESS_KEY_ID",
                        "test",
                        "AWS_SECRET_ACCESS_KEY",
                        "test"));
    }

    private String migrate(String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.millwright.cli.Main",
                        "migrate"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--kubeconfig", plane.kubeconfig().toString()));
        return Shell.run(command, "", COMMAND_MAX);
    }

    private List<String> alive() {
        return endpoint.instances().stream()
                .filter(each -> List.of("pending", "running").contains(each.text("state")))
                .map(each -> String.valueOf(each.text("id")))
                .sorted()
                .toList();
    }

    private List<String> pods() {
        return plane.kubectl(
                        "get",
                        "pods",
                        "-n",
                        "default",
                        "--field-selector=status.phase=Running",
                        "-o=jsonpath={range .items[*]}{.metadata.uid} {.spec.nodeName}{\"\\n\"}{end}")
                .lines()
                .filter(line -> !line.isBlank())
                .sorted()
                .toList();
    }

    private String claims() {
        return plane.kubectl(
                "get",
                "nodeclaims",
                "-o=jsonpath={range .items[*]}{.status.providerID} {.status.conditions[?(@.type==\"Ready\")].status} {.status.conditions[?(@.type==\"Drifted\")].status}{\"\\n\"}{end}");
    }

    @Test
    void anOldInstanceIsKeptWithItsPods() {
        grown();
        var pods = pods();
        var instances = alive();
        aged();

        assertThat(migrate("--apply", "--node-role", AwsEndpoint.ROLE))
                .contains("EC2NodeClass default created", "adopted: NodeClaim ");
        try (var operator = operator().says("started controllers")) {
            Eventually.see(
                    "the class is ready",
                    LIMIT,
                    () ->
                            plane.kubectl(
                                    "get",
                                    "ec2nodeclass",
                                    "default",
                                    "-o=jsonpath={.status.conditions[?(@.type==\"Ready\")].status}"),
                    "True"::equals);
            Eventually.see(
                    "the claims bear the hash of their class",
                    LIMIT,
                    () ->
                            plane.kubectl(
                                    "get",
                                    "nodeclaims",
                                    "-o=jsonpath={.items[*].metadata.annotations.karpenter\\.k8s\\.aws/ec2nodeclass-hash}"),
                    hash -> !hash.isBlank());
            assertThat(claims().lines().map(String::strip))
                    .hasSize(instances.size())
                    .allMatch(line -> line.endsWith(" True"));
            assertThat(alive()).isEqualTo(instances);
            assertThat(pods()).isEqualTo(pods);
            assertThat(operator.stop()).isZero();
        }
    }

    /// A fleet of today.
    private void grown() {
        plane.apply(
                """
                apiVersion: karpenter.k8s.aws/v1
                kind: EC2NodeClass
                metadata: {name: default}
                spec:
                  role: test-role
                  amiSelectorTerms: [{alias: al2023@latest}]
                  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: test-cluster}}]
                  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: test-cluster}}]
                ---
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: default}
                spec:
                  template:
                    spec:
                      requirements:
                      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
                      - {key: karpenter.k8s.aws/instance-category, operator: In, values: [m]}
                      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: default}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers:
                      - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
                """);
        try (var operator = operator()) {
            Eventually.see("three pods run", LIMIT, this::pods, found -> found.size() == 3);
            Eventually.see(
                    "claims are ready", LIMIT, this::claims, found -> found.contains(" True"));
            operator.stop();
        }
    }

    /// As Karpenter before 0.28 would have left it.
    private void aged() {
        for (var node : names("nodes")) {
            plane.kubectl("patch", node, "--type=merge", "-p", OLD_LABELS);
        }
        for (var kind : List.of("nodeclaims", "nodepools", "ec2nodeclasses")) {
            for (var each : names(kind)) {
                plane.kubectl(
                        "patch",
                        each,
                        "--type=merge",
                        "-p",
                        "{\"metadata\":{\"finalizers\":null}}");
            }
            plane.kubectl("delete", kind, "--all");
        }
        plane.apply(
                """
                apiVersion: karpenter.k8s.aws/v1alpha1
                kind: AWSNodeTemplate
                metadata: {name: default}
                spec:
                  amiFamily: AL2023
                  subnetSelector: {karpenter.sh/discovery: test-cluster}
                  securityGroupSelector: {karpenter.sh/discovery: test-cluster}
                ---
                apiVersion: karpenter.sh/v1alpha5
                kind: Provisioner
                metadata: {name: default}
                spec:
                  providerRef: {name: default}
                  requirements: [{key: karpenter.k8s.aws/instance-category, operator: In, values: [m]}]
                  consolidation: {enabled: true}
                """);
    }

    private List<String> names(String kind) {
        return plane.kubectl("get", kind, "-o=name").lines().toList();
    }
}
