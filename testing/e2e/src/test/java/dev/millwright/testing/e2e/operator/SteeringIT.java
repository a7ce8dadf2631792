package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Map;

/// Pods and nodes that are marked so that nodes run empty, with the right that the chart gives for
/// it alone.
@ExtendWith(ControlPlaneExtension.class)
final class SteeringIT {

    private static final String APART =
            """
                  affinity:
                    podAntiAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                      - topologyKey: kubernetes.io/hostname
                        labelSelector: {matchLabels: {app: web}}
            """;

    @Test
    void podsOfTheEmptiestNodeAreMarkedToGoFirst(ControlPlane plane) {
        var fleet = Fleet.of(plane, "steered").pool();
        try (var operator =
                OperatorProcess.start(plane, Map.of("MILLWRIGHT_STEER_PODS", "true"))
                        .says("started controllers")) {
            fleet.deployment(2, APART).running(2).paired();

            Eventually.see(
                    "a pod is cheaper to delete than the other",
                    () ->
                            plane.kubectl(
                                    "get",
                                    "pods",
                                    "-n",
                                    fleet.namespace(),
                                    "-o=jsonpath={.items[*].metadata.annotations.controller\\.kubernetes\\.io/pod-deletion-cost}"),
                    "-1"::equals);

            assertThat(operator.log()).doesNotContain("orbidden");
            fleet.removed();
            assertThat(operator.stop()).isZero();
        }
    }
}
