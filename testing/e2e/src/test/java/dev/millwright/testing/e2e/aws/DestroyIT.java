package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// `millwright destroy` as a process between a real control plane and AWS's protocols.
final class DestroyIT {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static ControlPlane plane;

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private final SdkClients clients = endpoint.sdkClients();
    private final Estate ours = new Estate(clients, AwsEndpoint.CLUSTER);
    private final Estate others = new Estate(clients, "other-cluster");
    private String theirs = "";

    @BeforeAll
    static void startPlane() {
        plane = ControlPlane.start(ControlPlane.Options.all());
        plane.apply(CustomResources.aws().text());
        plane.established();
    }

    @AfterAll
    static void closePlane() {
        plane.close();
    }

    @BeforeEach
    void prepare() {
        endpoint.fixture();
        endpoint.cluster(AwsEndpoint.CLUSTER, Tree.of("endpoint", plane.server().toString()));
        theirs = others.build();
    }

    @AfterEach
    void close() {
        clients.close();
    }

    private Map<String, String> environment() {
        return Map.of(
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
                "not-to-be-shown");
    }

    /// One run of the command, which may still go on.
    private record Run(Process process, Path out, Path err) {

        int exitCode() {
            try {
                if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError("destroy did not end: " + errors());
                }
                return process.exitValue();
            } catch (InterruptedException failure) {
                Thread.currentThread().interrupt();
                throw new AssertionError(failure);
            }
        }

        String text(Path file) {
            try {
                return Files.readString(file, UTF_8);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        String errors() {
            return text(err);
        }

        /// What is left, after it ended.
        List<Value> left() {
            assertThat(exitCode()).as(errors()).isZero();
            try {
                var result = JsonReader.object(text(out).getBytes(UTF_8));
                return result.fields().get("left") instanceof Value.Sequence(_, var elements)
                        ? elements
                        : List.of(result);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private Run destroy(String... options) {
        try {
            var out = Files.createTempFile("destroy", ".out");
            var err = Files.createTempFile("destroy", ".err");
            var command = new ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(
                    List.of(
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.millwright.cli.Main",
                            "destroy",
                            "--cluster",
                            AwsEndpoint.CLUSTER,
                            "--kubeconfig",
                            plane.kubeconfig().toString(),
                            "-o",
                            "json"));
            command.addAll(List.of(options));
            var builder = new ProcessBuilder(command);
            builder.environment().putAll(environment());
            builder.redirectOutput(out.toFile()).redirectError(err.toFile());
            var process = builder.start();
            process.getOutputStream().close();
            return new Run(process, out, err);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void nothingIsLeft() {
        assertThat(Estate.running(endpoint)).containsExactly(theirs);
        assertThat(ours.templates()).containsExactly(others.template());
        assertThat(ours.profiles()).containsExactly(others.profile());
        assertThat(plane.kubectl("get", "nodepools,nodeclaims,ec2nodeclasses", "-o", "name"))
                .isBlank();
        assertThat(plane.kubectl("get", "nodes", "-l", "karpenter.sh/nodepool", "-o", "name"))
                .isBlank();
    }

    private static void apply(String more) {
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
                      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                """
                        + more);
    }

    private static final String WORK =
            """
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
                  terminationGracePeriodSeconds: 1
                  topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: kubernetes.io/hostname
                    whenUnsatisfiable: DoNotSchedule
                    labelSelector: {matchLabels: {app: web}}
                  containers:
                  - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: web, namespace: default}
            spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}
            """;

    private static void running(int pods, OperatorProcess operator) {
        Eventually.see(
                "%d pods run".formatted(pods),
                LIMIT,
                () ->
                        plane.kubectl(
                                        "get",
                                        "pods",
                                        "-n",
                                        "default",
                                        "--field-selector=status.phase=Running",
                                        "-o=name")
                                + operator.lastWords(),
                seen -> seen.lines().filter(line -> line.startsWith("pod/")).count() == pods);
    }

    @Test
    void aRunningClusterIsDrainedThenEndedThenProvedEmpty() {
        try (var operator = OperatorProcess.start(plane, environment());
                var kubelets = new Kubelets(endpoint, plane)) {
            apply(WORK);
            running(3, operator);

            endpoint.cluster(AwsEndpoint.CLUSTER, Tree.of("endpoint", "https://elsewhere"));
            var refused = destroy("--yes");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.errors()).contains("nothing is removed", "https://elsewhere");
            assertThat(plane.kubectl("get", "nodepools", "-o", "name")).contains("default");
            endpoint.cluster(AwsEndpoint.CLUSTER, Tree.of("endpoint", plane.server().toString()));

            // The budget lets no pod go, so that only the deadline ends it.
            var run = destroy("--yes", "--drain-timeout", "12s", "--timeout", "2m");
            assertThat(run.left()).as(run.errors()).isEmpty();
            assertThat(run.errors())
                    .contains(
                            "is kept by PodDisruptionBudget default/web",
                            "the time for drains is over")
                    .doesNotContain("not-to-be-shown");
            nothingIsLeft();
            assertThat(kubelets).isNotNull();
        } finally {
            clear();
        }
    }

    /// Nobody ends the pods of nodes that are gone before a minute has passed.
    private static void clear() {
        plane.kubectl("delete", "deployment/web", "pdb/web", "-n", "default", "--cascade=orphan");
        plane.kubectl("delete", "replicasets", "--all", "-n", "default", "--cascade=orphan");
        plane.kubectl("delete", "pods", "--all", "-n", "default", "--force", "--grace-period=0");
    }

    @Test
    @Tag("long")
    void withoutTheOperatorItEndsEvenWhenItWasKilledHalfWay() {
        try (var operator = OperatorProcess.start(plane, environment());
                var kubelets = new Kubelets(endpoint, plane)) {
            apply(WORK);
            running(3, operator);
            operator.kill();
            assertThat(kubelets).isNotNull();
        }
        var first = destroy("--yes", "--drain-timeout", "0s", "--timeout", "2m");
        Eventually.see(
                "instances are ended",
                LIMIT,
                () -> Estate.running(endpoint),
                ids -> ids.equals(List.of(theirs)));
        first.process().destroyForcibly();
        assertThat(plane.kubectl("get", "nodeclaims", "-o", "name")).isNotBlank();
        assertThat(first.exitCode()).isNotZero();

        var again = destroy("--yes", "--drain-timeout", "0s", "--timeout", "2m");
        assertThat(again.left()).as(again.errors()).isEmpty();
        assertThat(again.errors()).contains("took the finalizer off NodeClaim");
        nothingIsLeft();
        clear();

        var once = destroy("--yes");
        assertThat(once.left()).isEmpty();
    }

    @Test
    @Tag("long")
    void whenTheApiServerIsGoneTheTagsTell() {
        ours.build();
        var unasked = destroy();
        assertThat(unasked.exitCode()).isEqualTo(2);
        assertThat(unasked.errors()).contains("--yes");
        plane.stop(Component.API_SERVER);
        try {
            var refused = destroy("--yes");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.errors()).contains("does not answer", "--cloud-only");
            assertThat(Estate.running(endpoint)).hasSize(2);

            var run = destroy("--yes", "--cloud-only");
            assertThat(run.left()).as(run.errors()).isEmpty();
        } finally {
            plane.start(Component.API_SERVER);
        }
        nothingIsLeft();
    }
}
