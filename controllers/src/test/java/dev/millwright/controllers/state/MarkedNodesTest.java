package dev.millwright.controllers.state;

import static dev.millwright.controllers.state.ClusterStage.claimOf;
import static dev.millwright.controllers.state.ClusterStage.ours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.object.ClaimObject;
import dev.millwright.testing.kit.Given;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/// Machines that are going, nodes that pods are about to land on, and nodes that buffers hold open.
final class MarkedNodesTest {

    private static final String FINALIZER = "karpenter.sh/termination";

    private final ClusterStage given = new ClusterStage();

    @Tag("G25")
    @Test
    void aNodeWithoutAClaimIsGoingOnceItIsDeleted() {
        given.with(ours("n1").finalizer(FINALIZER));
        assertThat(given.node("n1").isMarkedForDeletion()).isFalse();

        given.with(ours("n1").finalizer(FINALIZER).deletedAt(Given.NOON));

        assertThat(given.node("n1").isMarkedForDeletion()).isTrue();
    }

    @Tag("G26")
    @Test
    void aNodeIsGoingOnceItsClaimIsDeleted() {
        given.with(ours("n1"), claimOf("n1").finalizer(FINALIZER));
        assertThat(given.node("n1").isMarkedForDeletion()).isFalse();

        given.with(claimOf("n1").finalizer(FINALIZER).deletedAt(Given.NOON));

        assertThat(given.node("n1").isMarkedForDeletion()).isTrue();
    }

    @Test
    void aNodeIsGoingOnceItsMachineIs() {
        given.with(
                ours("n1"),
                claimOf("n1").condition(ClaimObject.INSTANCE_TERMINATING, "True", Given.NOON));

        assertThat(given.node("n1").isMarkedForDeletion()).isTrue();
    }

    @Test
    void aDeletedNodeStaysAsLongAsItsClaimDoes() {
        given.with(ours("n1").finalizer(FINALIZER).deletedAt(Given.NOON), claimOf("n1"));

        assertThat(given.node("n1").isMarkedForDeletion()).isFalse();
    }

    @Test
    void aMarkOutlivesTheClaim() {
        given.with(ours("n1"));

        given.marks().mark("fake://n1");

        assertThat(given.node("n1").isMarkedForDeletion()).isTrue();
    }

    @Tag("G27")
    @Test
    void aNominationEnds() {
        var start = given.rig().now();
        given.marks().nominate("n1", start.plusSeconds(20));

        assertThat(given.marks().isNominated("n1", start)).isTrue();
        assertThat(given.marks().isNominated("n1", start.plus(Duration.ofSeconds(10)))).isTrue();
        assertThat(given.marks().isNominated("n1", start.plus(Duration.ofSeconds(21)))).isFalse();
    }

    // Nodes that buffers hold open -------------------------------------------------------------

    @Tag("G90")
    @Test
    void anUnknownNodeHoldsNoVirtualPods() {
        assertThat(given.marks().isHeldOpen("nowhere")).isFalse();
        assertThat(given.marks().virtualPodsOn("nowhere")).isZero();
    }

    @Tag("G91")
    @Test
    void virtualPodsAreCountedByNode() {
        given.marks().holdOpen(Map.of("n1", 3, "n2", 1));

        assertThat(given.marks().isHeldOpen("n1")).isTrue();
        assertThat(given.marks().virtualPodsOn("n1")).isEqualTo(3);
        assertThat(given.marks().virtualPodsOn("n2")).isEqualTo(1);
    }

    @Tag("G92")
    @Test
    void aNewCountReplacesTheOldOne() {
        given.marks().holdOpen(Map.of("n1", 3));

        given.marks().holdOpen(Map.of("n2", 2));

        assertThat(given.marks().isHeldOpen("n1")).isFalse();
        assertThat(given.marks().virtualPodsOn("n2")).isEqualTo(2);
    }

    @Tag("G93")
    @Test
    void anEmptyCountClearsAll() {
        given.marks().holdOpen(Map.of("n1", 3));

        given.marks().holdOpen(Map.of());

        assertThat(given.marks().isHeldOpen("n1")).isFalse();
    }

    @Tag("G94")
    @Test
    void aCountOfZeroHoldsNothingOpen() {
        given.marks().holdOpen(Map.of("n1", 0, "n2", 1));

        assertThat(given.marks().isHeldOpen("n1")).isFalse();
        assertThat(given.marks().isHeldOpen("n2")).isTrue();
    }
}
