package dev.millwright.testing.e2e.kwok;

import static dev.millwright.testing.kit.cloud.MachineClaimBuilder.machineClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Nodes that kwok plays, launched for claims that are there.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KwokNodesIT {

    private KwokServer server;

    @BeforeAll
    void start() {
        server = KwokServer.start(ControlPlane.Options.all());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void aLaunchedNodeBecomesReadyWithItsRoom() {
        try (var cloud = server.cloud()) {
            var node = nodeName(launched(cloud.launch(claim("ready"))));

            Eventually.see(
                    "the node is ready",
                    () -> look(node, "{.status.conditions[?(@.type==\"Ready\")].status}"),
                    "True"::equals);
            assertThat(look(node, "{.status.allocatable.cpu}")).isEqualTo("1900m");
            assertThat(look(node, "{.spec.taints[*].key}")).contains("karpenter.sh/unregistered");
        }
    }

    @Test
    void aControllerThatIsKilledAfterALaunchFindsItsNode() {
        var claim = claim("killed");
        Machine first;
        try (var cloud = server.cloud()) {
            first = launched(cloud.launch(claim));
            Eventually.see(
                    "the node is there",
                    () -> look(nodeName(first), "{.metadata.name}"),
                    nodeName(first)::equals);
        }

        try (var cloud = server.cloud()) {
            assertThat(launched(cloud.launch(claim)).providerId()).isEqualTo(first.providerId());
        }
        assertThat(nodesOf("killed")).isEqualTo(nodeName(first));
    }

    @Test
    void aNodeWhoseClaimVanishesIsClearedAwayByTheCluster() {
        try (var cloud = server.cloud()) {
            var node = nodeName(launched(cloud.launch(claim("orphan"))));
            Eventually.see("the node is there", () -> nodesOf("orphan"), node::equals);

            server.controlPlane().kubectl("delete", "nodeclaim", "orphan");

            assertThat(Eventually.see("the node is gone", () -> nodesOf("orphan"), String::isEmpty))
                    .isEmpty();
        }
    }

    /// A claim whose object is there.
    private MachineClaim claim(String name) {
        server.controlPlane()
                .apply(
                        """
                        apiVersion: karpenter.sh/v1
                        kind: NodeClaim
                        metadata: {name: %s}
                        spec:
                          nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
                          requirements:
                          - {key: kubernetes.io/os, operator: In, values: [linux]}
                        """
                                .formatted(name));
        var uid =
                server.controlPlane()
                        .kubectl("get", "nodeclaim", name, "-o=jsonpath={.metadata.uid}");
        return machineClaim(name)
                .uid(uid)
                .nodeClass(KwokServer.nodeClass("default"))
                .types("c-2x-amd64-linux")
                .build();
    }

    private static Machine launched(LaunchAnswer answer) {
        if (answer instanceof LaunchAnswer.Launched(var machine)) {
            return machine;
        }
        throw new AssertionError("wanted a machine, found " + answer);
    }

    private static String nodeName(Machine machine) {
        return machine.providerId().substring("kwok://".length());
    }

    private String look(String node, String path) {
        return server.controlPlane()
                .kubectl("get", "node", node, "--ignore-not-found", "-o=jsonpath=" + path);
    }

    private String nodesOf(String claim) {
        return server.controlPlane()
                .kubectl(
                        "get",
                        "nodes",
                        "--selector=kubernetes.io/hostname=" + claim,
                        "-o=jsonpath={.items[*].metadata.name}");
    }
}
