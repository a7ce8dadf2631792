package dev.millwright.testing.e2e.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.operator.OperatorProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Fifty nodes of Karpenter 0.28 become ours and go back, and no pod notices.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MigrateIT {

    private static final int NODES = 50;

    private static final Path FIXTURES =
            Path.of("../../kube/src/test/resources/dev/millwright/kube/conversion");

    private static final Duration COMMAND_MAX = Duration.ofMinutes(4);

    /// Longer than the first looks of those who end machines without a claim.
    private static final Duration WATCHED = Duration.ofSeconds(12);

    /// The cluster itself clears away what lost its owner, and it is quick.
    private static final Duration WATCHED_ALONE = Duration.ofSeconds(4);

    private ControlPlane plane;

    @BeforeAll
    void start() {
        plane = ControlPlane.start(ControlPlane.Options.all());
    }

    @AfterAll
    void stop() {
        plane.close();
    }

    private String millwright(String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.millwright.cli.Main",
                        "migrate"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--kubeconfig", plane.kubeconfig().toString()));
        return Shell.run(command, "", COMMAND_MAX);
    }

    private static long count(String text, String word) {
        return text.lines().filter(line -> line.contains(word)).count();
    }

    /// Sees the same again and again for a while.
    private static void stays(
            OldCluster cluster, List<String> pods, List<String> nodes, Duration watched) {
        var deadline = System.nanoTime() + watched.toNanos();
        Eventually.see(
                "pods and nodes stay as they are",
                () -> {
                    assertThat(cluster.lines("pods", "-n", "shop", "-l", "app=web"))
                            .isEqualTo(pods);
                    assertThat(cluster.lines("nodes")).containsAll(nodes);
                    return System.nanoTime();
                },
                now -> now > deadline);
    }

    @Test
    void nodesAreAdoptedAndGivenBackWithoutARestart() {
        plane.kubectl("create", "namespace", "shop");
        var cluster = OldCluster.of(plane, NODES).running("shop");
        var pods = cluster.lines("pods", "-n", "shop", "-l", "app=web");
        var nodes = cluster.lines("nodes");
        var labels = cluster.labels();
        assertThat(nodes).hasSize(NODES);

        assertThat(millwright("--diff"))
                .contains("--- Provisioner old (karpenter.sh/v1alpha5)")
                .contains("+++ NodePool old (karpenter.sh/v1)", "-  ttlSecondsAfterEmpty: 30");
        assertThat(millwright("--from", "karpenter"))
                .contains("- nodes: %d with the label".formatted(NODES), "migrate --apply");

        var adopted = millwright("--apply");
        assertThat(count(adopted, " adopted: NodeClaim ")).as(adopted).isEqualTo(NODES);
        assertThat(adopted).contains("NodePool old created: frozen until millwright unfreeze");
        assertThat(millwright("--apply")).isEmpty();

        try (var operator = OperatorProcess.start(plane).says("started controllers")) {
            Eventually.see(
                    "the pool counts its nodes",
                    () -> plane.kubectl("get", "nodepool", "old", "-o=jsonpath={.status.nodes}"),
                    String.valueOf(NODES)::equals);
            stays(cluster, pods, nodes, WATCHED);
            assertThat(cluster.look("{.status.nodeName}", "nodeclaims")).hasSize(NODES);
            assertThat(
                            cluster.look(
                                    "{.status.conditions[?(@.type==\"Ready\")].status} {.status.conditions[?(@.type==\"Drifted\")].status}",
                                    "nodeclaims"))
                    .allMatch(line -> line.strip().equals("True"));
            plane.kubectl("annotate", "nodepool", "old", "millwright.dev/freeze-");
            stays(cluster, pods, nodes, WATCHED);
            newcomer(cluster);
            assertThatThrownBy(() -> millwright("--undo"))
                    .hasMessageContaining("a controller runs");
            assertThat(operator.stop()).isZero();
        }
        var grown = cluster.lines("nodes");
        assertThat(grown).hasSize(NODES + 1);

        var restored = millwright("--undo");
        assertThat(count(restored, " restored")).as(restored).isEqualTo(NODES + 1);
        assertThat(count(restored, "it came after the migration")).isEqualTo(1);
        assertThat(cluster.lines("nodeclaims")).isEmpty();
        assertThat(cluster.lines("nodepools")).isEmpty();
        assertThat(cluster.lines("provisioners")).hasSize(1);
        stays(cluster, pods, grown, WATCHED_ALONE);
        assertThat(cluster.labels()).containsAll(labels);
        assertThat(millwright("--undo")).isEmpty();

        assertThat(count(millwright("--apply"), " adopted: NodeClaim ")).isEqualTo(NODES + 1);
        stays(cluster, pods, grown, WATCHED_ALONE);
    }

    /// A pod that fits nowhere brings a node of the new pool.
    private void newcomer(OldCluster cluster) {
        plane.apply(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: late, namespace: shop}
                spec:
                  containers:
                  - {name: late, image: none, resources: {requests: {cpu: 1500m}}}
                """);
        Eventually.see(
                "the newcomer runs on a new node",
                () ->
                        cluster.look(
                                "{.metadata.name}",
                                "pods",
                                "-n",
                                "shop",
                                "--field-selector=status.phase=Running,metadata.name=late"),
                found -> found.size() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"provisioner-by-types", "provisioner-by-ids"})
    void whatBecomesOfTheDocumentsProvisionersIsTakenByTheApiServer(String name) {
        plane.apply(CustomResources.kwok().withAws().text());
        plane.established();
        var old = FIXTURES.resolve(name + ".yaml").toString();
        var made = millwright("-f", old, "--node-role", "NodeRole");

        assertThat(
                        Shell.run(
                                List.of(
                                        ControlPlane.binary("kubectl").toString(),
                                        "--kubeconfig=" + plane.kubeconfig(),
                                        "apply",
                                        "--dry-run=server",
                                        "-f",
                                        "-"),
                                made,
                                COMMAND_MAX))
                .contains("ec2nodeclass.karpenter.k8s.aws/", "nodepool.karpenter.sh/");
    }
}
