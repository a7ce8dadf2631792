package dev.millwright.testing.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

/// That the ground holds on which all other tests here stand.
@ExtendWith(ControlPlaneExtension.class)
final class ControlPlaneIT {

    @Test
    void aDeploymentRunsOnAFakeNode(ControlPlane controlPlane) {
        var namespace = controlPlane.createNamespace();

        controlPlane.apply(
                """
                        apiVersion: v1
                        kind: Node
                        metadata:
                          name: %1$s-node
                          labels: {test: %1$s}
                          annotations: {kwok.x-k8s.io/node: fake}
                        ---
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: web, namespace: %1$s}
                        spec:
                          replicas: 3
                          selector: {matchLabels: {app: web}}
                          template:
                            metadata: {labels: {app: web}}
                            spec:
                              nodeSelector: {test: %1$s}
                              containers:
                              - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
                        """
                        .formatted(namespace));

        assertThat(
                        Eventually.see(
                                "three pods run",
                                () -> phases(controlPlane, namespace),
                                List.of("Running", "Running", "Running")::equals))
                .hasSize(3);
        assertThat(
                        controlPlane.kubectl(
                                "get", "node", namespace + "-node", "-o=jsonpath={.spec.taints}"))
                .isEmpty();
        var deleted = controlPlane.kubectl("delete", "node", namespace + "-node");
        assertThat(deleted).contains("deleted");
    }

    @Test
    void aStrangerMayNothing(ControlPlane controlPlane) {
        assertThat(controlPlane.kubectl("auth", "can-i", "--list", "--as=stranger", "--no-headers"))
                .doesNotContain("pods");
    }

    @Test
    void theApiServerComesBackWithItsObjects() {
        try (var controlPlane = ControlPlane.start(ControlPlane.Options.apiOnly())) {
            var created = controlPlane.createNamespace();

            controlPlane.restartApiServer();
            controlPlane.kill(Component.API_SERVER);
            controlPlane.start(Component.API_SERVER);

            assertThat(controlPlane.kubectl("get", "namespace", created, "-o=name"))
                    .isEqualTo("namespace/%s\n".formatted(created));
        }
    }

    @Test
    void nothingOutlivesItsOwner() {
        var controlPlane = ControlPlane.start(ControlPlane.Options.apiOnly());
        controlPlane.pause(Component.ETCD);
        var processes = controlPlane.processes();

        controlPlane.close();

        assertThat(processes).hasSizeGreaterThanOrEqualTo(3).noneMatch(ProcessHandle::isAlive);
    }

    private static List<String> phases(ControlPlane controlPlane, String namespace) {
        var phases =
                controlPlane.kubectl(
                        "get", "pods", "-n", namespace, "-o=jsonpath={.items[*].status.phase}");
        return phases.isEmpty() ? List.of() : List.of(phases.split(" ", -1));
    }
}
