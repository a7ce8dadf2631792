package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

/// From a pending pod to a ready node and back.
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ScalingIT {

    private OperatorProcess operator;

    @BeforeAll
    void start(ControlPlane plane) {
        Fleet.of(plane, "none");
        operator = OperatorProcess.start(plane).says("started controllers");
    }

    @AfterAll
    void stop() {
        assertThat(operator.stop()).isZero();
    }

    @Test
    void podsThatWaitGetNodesAndNodesWithoutPodsGo(ControlPlane plane) {
        var fleet = Fleet.of(plane, "scaling").pool().deployment(10).running(10).paired();

        assertThat(fleet.nodes()).isNotEmpty();
        fleet.deployment(0).running(0);
        Eventually.see("nodes without pods go by themselves", fleet::nodes, List::isEmpty);
        fleet.removed();
    }

    @Test
    void nodesGoWithTheirClaims(ControlPlane plane) {
        var fleet = Fleet.of(plane, "claimed").pool().deployment(3).running(3).paired();

        fleet.deployment(0).running(0);
        plane.kubectl("delete", "nodeclaims", "-l", "karpenter.sh/nodepool=claimed");

        assertThat(fleet.nodes()).isEmpty();
        fleet.removed();
    }

    @Test
    @Tag("long")
    void aNodeThatIsDeletedIsDrainedAndReplaced(ControlPlane plane) {
        var fleet = Fleet.of(plane, "replaced").pool().deployment(5).running(5).paired();
        var before = fleet.nodes();

        plane.kubectl("delete", "node", before.getFirst(), "--wait=false");

        Eventually.see(
                "the node is gone", fleet::nodes, nodes -> !nodes.contains(before.getFirst()));
        fleet.running(5).paired().removed();
    }

    @Test
    @Tag("long")
    void aClaimExpires(ControlPlane plane) {
        var fleet =
                Fleet.of(plane, "expiring")
                        .pool("      expireAfter: 20s\n")
                        .deployment(2)
                        .running(2)
                        .paired();
        var first = fleet.claims();

        Eventually.see(
                "the first claims are gone",
                fleet::claims,
                claims -> claims.stream().noneMatch(first::contains));
        fleet.removed();
    }

    @Test
    @Tag("long")
    void aBudgetHoldsTheDrainUntilItIsLifted(ControlPlane plane) {
        var fleet = Fleet.of(plane, "guarded").pool().deployment(2).running(2).paired();
        plane.apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: %s}
                spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
                """
                        .formatted(fleet.namespace()));
        Eventually.see(
                "the budget is in force",
                () ->
                        plane.kubectl(
                                "get",
                                "pdb",
                                "web",
                                "-n",
                                fleet.namespace(),
                                "-o=jsonpath={.status.expectedPods}"),
                "2"::equals);
        var node = fleet.nodes().getFirst();

        plane.kubectl("delete", "node", node, "--wait=false");

        operator.says("FailedDraining");
        assertThat(fleet.nodes()).contains(node);
        assertThat(fleet.podsIn("Running")).isEqualTo(2);
        plane.kubectl("delete", "pdb", "web", "-n", fleet.namespace());
        Eventually.see("the node is gone", fleet::nodes, nodes -> !nodes.contains(node));
        fleet.running(2).removed();
    }

    @Test
    @Tag("long")
    void aGracePeriodEndsADrainThatABudgetHolds(ControlPlane plane) {
        var fleet =
                Fleet.of(plane, "bounded")
                        .pool("      terminationGracePeriod: 15s\n")
                        .deployment(2)
                        .running(2)
                        .paired();
        plane.apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: %s}
                spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
                """
                        .formatted(fleet.namespace()));
        var node = fleet.nodes().getFirst();

        plane.kubectl("delete", "node", node, "--wait=false");

        Eventually.see("the node is gone", fleet::nodes, nodes -> !nodes.contains(node));
        plane.kubectl("delete", "pdb", "web", "-n", fleet.namespace());
        fleet.running(2).removed();
    }
}
