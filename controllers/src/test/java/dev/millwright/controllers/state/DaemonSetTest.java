package dev.millwright.controllers.state;

import static dev.millwright.testing.kit.cluster.Manifest.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The pod that stands for a DaemonSet: its newest one, since admission may have changed it.
final class DaemonSetTest {

    private static final String LOGS =
            """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: logs, namespace: default, uid: logs-uid}
            spec:
              template:
                spec:
                  containers: [{name: main, resources: {requests: {cpu: 100m}}}]
            """;

    private final ClusterStage given = new ClusterStage();

    private static Manifest daemon(String name, String cpu) {
        return pod(name).requests("cpu", cpu).ofDaemonSet("logs").on("n1");
    }

    private Snapshot snapshot() {
        return given.state().snapshot(given.rig().view(), given.rig().now());
    }

    private Pod representative() {
        var snapshot = snapshot();
        return snapshot.daemonSets().getFirst().representative(snapshot.pods());
    }

    private String cpu() {
        return representative().requests().amount(Resources.CPU).toString();
    }

    @Tag("G46")
    @Test
    void withoutAPodTheTemplateStandsForTheSet() {
        given.with(LOGS);

        assertThat(cpu()).isEqualTo("100m");
    }

    @Tag("G47")
    @Test
    void aPodOfTheSetStandsForIt() {
        given.with(LOGS).with(daemon("logs-1", "200m"));

        assertThat(cpu()).isEqualTo("200m");
    }

    @Tag("G48")
    @Test
    void theNewestPodStandsForTheSet() {
        given.with(LOGS)
                .with(
                        daemon("logs-1", "300m").createdAt(Given.NOON.plusSeconds(60)),
                        daemon("logs-2", "200m"));

        assertThat(cpu()).isEqualTo("300m");
    }

    @Tag("G49")
    @Test
    void aSetThatIsGoneIsCountedNoMore() {
        given.with(LOGS).with(daemon("logs-1", "200m"));

        given.gone(ResourceType.DAEMON_SET, "logs");

        assertThat(snapshot().daemonSets()).isEmpty();
    }

    @Tag("G50")
    @Test
    void onlyPodsOfTheSetStandForIt() {
        given.with(LOGS)
                .with(
                        daemon("logs-1", "200m"),
                        pod("other").requests("cpu", "3").ofDaemonSet("other").on("n1"),
                        pod("shop").requests("cpu", "4").owner("apps/v1", "ReplicaSet", "logs"));

        assertThat(cpu()).isEqualTo("200m");
    }
}
