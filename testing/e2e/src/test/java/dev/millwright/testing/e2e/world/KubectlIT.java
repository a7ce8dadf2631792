package dev.millwright.testing.e2e.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The real kubectl on a world: what a visitor of the demo would try.
final class KubectlIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final String POOL =
            """
            apiVersion: karpenter.kwok.sh/v1alpha1
            kind: KWOKNodeClass
            metadata: {name: default}
            ---
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: default}
            spec:
              disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 30s}
              template:
                spec:
                  requirements:
                  - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
                  nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
            """;

    private static final String WEB =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: %d
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - name: main
                    image: example.test/web:1
                    resources: {requests: {cpu: "1", memory: 1Gi}}
            """;

    private RunningWorld world;
    private Path kubeconfig;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        world = new RunningWorld();
        kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(kubeconfig, world.front().kubeconfig());
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String kubectl(String... arguments) {
        return fed("", arguments);
    }

    private String fed(String input, String... arguments) {
        var command = new ArrayList<String>();
        command.add(ControlPlane.binary("kubectl").toString());
        command.add("--kubeconfig=" + kubeconfig);
        command.add("--cache-dir=" + kubeconfig.resolveSibling("cache"));
        command.addAll(List.of(arguments));
        return Shell.run(command, input, LIMIT);
    }

    private String apply(String yaml) {
        return fed(yaml, "apply", "--validate=false", "-f", "-");
    }

    private long count(String kind, String words) {
        return kubectl("get", kind, "--no-headers")
                .lines()
                .filter(line -> line.contains(words))
                .count();
    }

    private void runWeb(int replicas) {
        apply(POOL);
        apply(WEB.formatted(replicas));
        Eventually.see("pods run", LIMIT, () -> count("pods", "Running"), seen -> seen == replicas);
    }

    @Test
    void itFindsOutWhatThereIs() {
        assertThat(kubectl("api-resources"))
                .contains("nodepools")
                .contains("karpenter.sh/v1")
                .contains("deployments");
        assertThat(kubectl("get", "namespaces")).contains("kube-system").contains("Active");
        assertThat(kubectl("version")).contains("v1.35.0-millwright-world");
    }

    @Test
    void anAppliedDeploymentGetsItsNodesAndIsScaled() {
        runWeb(5);
        assertThat(kubectl("get", "deployment", "web")).contains("5/5");
        assertThat(kubectl("get", "nodes", "-o", "wide")).contains("Ready").contains("m5.");
        assertThat(kubectl("get", "nodeclaims")).contains("on-demand").contains("True");

        assertThat(apply(WEB.formatted(5))).contains("unchanged");
        kubectl("scale", "deployment/web", "--replicas=2");
        Eventually.see("fewer pods", LIMIT, () -> count("pods", "Running"), seen -> seen == 2);
        assertThat(apply(WEB.formatted(4))).contains("configured");
        Eventually.see("more pods", LIMIT, () -> count("pods", "Running"), seen -> seen == 4);
        kubectl("rollout", "status", "deployment/web", "--timeout=30s");
    }

    @Test
    void objectsAreDescribedAndPrintedInEveryForm() {
        runWeb(2);
        var node = kubectl("get", "nodes", "-o", "name").strip();
        assertThat(kubectl("describe", node)).contains("Non-terminated Pods:").contains("web-");
        assertThat(kubectl("describe", "pods", "-l", "app=web")).contains("Controlled By:");
        assertThat(kubectl("describe", "nodepool", "default")).contains("Consolidate After");
        assertThat(kubectl("get", "pods", "-o", "json", "--field-selector=status.phase=Running"))
                .contains("\"kind\": \"List\"");
        assertThat(kubectl("get", "pods", "-A", "-o", "jsonpath={.items[*].spec.schedulerName}"))
                .isEqualTo("default-scheduler default-scheduler");
    }

    @Test
    void aWatchTellsWhatHappens() {
        apply(POOL);
        apply(WEB.formatted(0));
        kubectl("scale", "deployment/web", "--replicas=1");
        var told =
                kubectl("wait", "--for=condition=Ready", "pod", "-l", "app=web", "--timeout=40s");
        assertThat(told).contains("condition met");
        var watched =
                kubectl("get", "pods", "--watch", "--request-timeout=3s", "--output-watch-events");
        assertThat(watched).contains("ADDED").contains("web-").contains("Running");
    }

    @Test
    void aNodeIsCordonedAndDrained() {
        runWeb(3);
        var node = kubectl("get", "nodes", "-o", "name").lines().findFirst().orElseThrow();
        assertThat(kubectl("cordon", node)).contains("cordoned");
        assertThat(kubectl("get", node)).contains("SchedulingDisabled");
        assertThat(kubectl("uncordon", node)).contains("uncordoned");
        assertThat(kubectl("drain", node, "--ignore-daemonsets", "--timeout=40s"))
                .contains("evicted")
                .contains("drained");
        Eventually.see(
                "pods run elsewhere", LIMIT, () -> count("pods", "Running"), seen -> seen == 3);
    }

    @Test
    void aBudgetHoldsADrain() {
        runWeb(2);
        apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web}
                spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
                """);
        Eventually.see(
                "the budget is counted",
                LIMIT,
                () -> kubectl("get", "pdb", "web", "-o", "jsonpath={.status.currentHealthy}"),
                "2"::equals);
        var node = kubectl("get", "nodes", "-o", "name").lines().findFirst().orElseThrow();
        assertThatThrownBy(() -> kubectl("drain", node, "--ignore-daemonsets", "--timeout=8s"))
                .hasMessageContaining("violate the pod's disruption budget");
        assertThat(count("pods", "Running")).isEqualTo(2);
    }

    @Test
    void whatIsDeletedGoesWithAllItOwns() {
        runWeb(2);
        assertThat(kubectl("delete", "deployment", "web", "--timeout=40s")).contains("deleted");
        Eventually.see("pods go", LIMIT, () -> count("pods", "web"), seen -> seen == 0);
        Eventually.see("nodes go", LIMIT, () -> count("nodes", ""), seen -> seen == 0);
        assertThatThrownBy(() -> kubectl("get", "deployment", "web"))
                .hasMessageContaining("NotFound");
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        assertThatThrownBy(() -> kubectl("get", "secrets", "none"))
                .hasMessageContaining("secrets \"none\" not found");
        assertThatThrownBy(() -> fed(POOL, "apply", "--server-side", "--validate=false", "-f", "-"))
                .hasMessageContaining("--server-side=false");
        assertThatThrownBy(
                        () ->
                                fed(
                                        POOL,
                                        "create",
                                        "--dry-run=server",
                                        "--validate=false",
                                        "-f",
                                        "-"))
                .hasMessageContaining("dry");
        // This one of kubectl's own makings is sent as protobuf.
        assertThatThrownBy(
                        () ->
                                kubectl(
                                        "create",
                                        "pdb",
                                        "web",
                                        "--selector=app=web",
                                        "--min-available=2"))
                .hasMessageContaining("apply a file instead");
    }
}
