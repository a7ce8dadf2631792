package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What it costs to move pods.
final class CostTest {

    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    private final DisruptionStage stage = new DisruptionStage();

    @Test
    @Tag("J13")
    void anOrdinaryPodCostsOne() {
        assertThat(DisruptionCost.ofPod(null, 0)).isEqualTo(1);
    }

    @Test
    @Tag("J14")
    void aPositiveDeletionCostCostsMore() {
        assertThat(DisruptionCost.ofPod("100", 0)).isGreaterThan(1);
    }

    @Test
    @Tag("J15")
    void aNegativeDeletionCostCostsLess() {
        assertThat(DisruptionCost.ofPod("-100", 0)).isLessThan(1);
    }

    @Test
    @Tag("J16")
    void aHigherDeletionCostCostsMoreThanALower() {
        assertThat(DisruptionCost.ofPod("101", 0)).isGreaterThan(DisruptionCost.ofPod("100", 0));
        assertThat(DisruptionCost.ofPod("100", 0)).isGreaterThan(DisruptionCost.ofPod("99", 0));
    }

    @Test
    @Tag("J17")
    void aHigherPriorityCostsMore() {
        assertThat(DisruptionCost.ofPod(null, 1)).isGreaterThan(1);
    }

    @Test
    @Tag("J18")
    void aLowerPriorityCostsLess() {
        assertThat(DisruptionCost.ofPod(null, -1)).isLessThan(1);
    }

    /// Two ordinary pods, one of cost two, and one that would rather go.
    @Test
    void aNodeCostsItsDrainAndThePodsThatMind() {
        stage.pool("100%").add(new FleetNode("a"));
        stage.rig.apply(
                DisruptionStage.pod("one", "a"),
                DisruptionStage.pod("two", "a"),
                DisruptionStage.pod("dear", "a")
                        .annotation(DisruptionCost.DELETION_COST, "134217728"),
                DisruptionStage.pod("cheap", "a")
                        .spec("priority", DisruptionStage.number(-67108864)));

        var candidate = candidate();

        assertThat(candidate.cost()).isCloseTo(5, CLOSE);
        assertThat(candidate.savingsRatio()).isCloseTo(candidate.pricePerHour() / 5, CLOSE);
    }

    private Candidate candidate() {
        return SingleNode.candidacy(stage.problem()).candidates().getFirst();
    }
}
