package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Map;

/// Two replicas: one acts, and when it dies the other goes on.
@ExtendWith(ControlPlaneExtension.class)
final class LeadershipIT {

    @Test
    void theSecondReplicaGoesOnWhenTheFirstDies(ControlPlane plane) {
        var fleet = Fleet.of(plane, "two-replicas").pool();
        try (var first = OperatorProcess.start(plane).says("started controllers");
                var second = OperatorProcess.start(plane).says("waiting to lead")) {
            fleet.deployment(10).running(10).paired();
            assertThat(second.log()).doesNotContain("started controllers");

            first.kill();
            fleet.deployment(40);

            second.says("started controllers");
            fleet.running(40).paired().removed();
            assertThat(second.stop()).isZero();
        }
    }

    @Test
    void aReplicaThatStopsGivesTheLeaseAwayAtOnce(ControlPlane plane) {
        Fleet.of(plane, "handover");
        // Its heap may outgrow a limit that small, which it says on the way.
        var limited = Map.of("MEMORY_LIMIT", "1000000");
        try (var first =
                        OperatorProcess.start(plane, limited)
                                .says("heap may outgrow the memory limit")
                                .says("started controllers");
                var second = OperatorProcess.start(plane).says("waiting to lead")) {
            assertThat(first.stop()).isZero();

            second.says("started controllers");
            var holder =
                    Eventually.see(
                            "somebody holds the lease",
                            () ->
                                    plane.kubectl(
                                            "get",
                                            "lease",
                                            "-n",
                                            "kube-system",
                                            "karpenter-leader-election",
                                            "-o=jsonpath={.spec.holderIdentity}"),
                            name -> !name.isEmpty());
            assertThat(holder).contains("_");
            assertThat(second.stop()).isZero();
        }
    }
}
