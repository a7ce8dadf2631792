package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Balance.Score;
import dev.millwright.core.disruption.Balance.Totals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// What a move saves is weighed against what it disturbs, where the pool says Balanced.
final class ShareOfThePoolTest {

    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final InstanceType LARGE = type("large", 8, 3).build();

    private final FleetBuilder fleet =
            fleet().selling(SMALL, LARGE)
                    .pool(each -> each.withPolicy(PoolRules.Consolidation.BALANCED));

    @ParameterizedTest
    @CsvSource({
        "0.2, 0.4, 0.5, true",
        "0.2, 0.41, 0.4878, false",
        "0.2, 0.1, 2, true",
        "0, 0.4, 0, false",
        "0, 0, 0, false",
        "-1, 0, 0, false",
        "NaN, 0.1, 0, false",
        "0.1, 0, Infinity, true"
    })
    void aMoveMayDisturbTwiceTheShareThatItSaves(
            double saved, double disturbed, double value, boolean isApproved) {
        var score = new Score(saved, disturbed);

        assertThat(score.value()).isCloseTo(value, within(1e-4));
        assertThat(score.isApproved()).isEqualTo(isApproved);
    }

    @ParameterizedTest
    @CsvSource({"10, 20, 0.1, 0.25", "0, 20, 0, 0", "10, 0, 0, 0"})
    void sharesAreOfThePool(double price, double cost, double saved, double disturbed) {
        assertThat(Balance.score(1, 5, new Totals(price, cost)))
                .isEqualTo(new Score(saved, disturbed));
    }

    private Decision decision() {
        return fleet.decide(DisruptionMethod.SINGLE_NODE);
    }

    private Score score() {
        return decision().search().weighed().getFirst().scores().get("default");
    }

    @Test
    void aMoveThatSavesMoreThanItDisturbsIsMade() {
        fleet.with(machine("a", LARGE), machine("b", LARGE))
                .with(running("web", "a", "2"), running("api", "b", "8"));

        assertThat(decision().commands().getFirst().nodes()).containsExactly("a");
        assertThat(score().savedShare()).isCloseTo(2.0 / 6, within(1e-9));
        assertThat(score().disturbedShare()).isCloseTo(0.5, within(1e-9));
        assertThat(decision().search().weighed().getFirst().isApproved()).isTrue();
    }

    private void manySmallPods() {
        fleet.with(machine("a", SMALL), machine("b", LARGE))
                .with(
                        running("1", "a", "300m"),
                        running("2", "a", "300m"),
                        running("3", "a", "300m"),
                        running("4", "a", "300m"),
                        running("5", "a", "300m"),
                        running("6", "a", "300m"),
                        running("api", "b", "6"));
    }

    @Test
    void aNodeWhosePodsWouldMoveForLittleStaysWithoutALook() {
        manySmallPods();

        assertThat(decision().commands()).isEmpty();
        assertThat(decision().kept()).containsEntry("a", new KeepReason.NotWorthIt());
    }

    @Test
    void whereThePolicyIsNotBalancedTheSameNodeGoes() {
        manySmallPods();
        fleet.pool(each -> each);

        assertThat(decision().commands().getFirst().nodes()).containsExactly("a");
        assertThat(decision().search().weighed().getFirst().scores()).isEmpty();
    }

    @Test
    void aReplacementThatSavesTooLittleIsWeighedAndRefused() {
        var almost = type("almost", 8, 2.9).build();
        fleet.selling(LARGE, almost)
                .with(machine("a", LARGE), machine("b", almost))
                .with(running("web", "a", "8"), running("api", "b", "8"));

        assertThat(decision().commands()).isEmpty();
        assertThat(decision().kept()).containsEntry("a", new KeepReason.NotWorthIt());
        assertThat(score().savedShare()).isCloseTo(0.1 / 5.9, within(1e-9));
        assertThat(decision().search().weighed().getFirst().isApproved()).isFalse();
    }

    @Test
    void aMoveOfTwoPoolsIsSharedByWhatTheirNodesCost() {
        fleet.pool(nodePool("x"), each -> each.withPolicy(PoolRules.Consolidation.BALANCED))
                .pool(nodePool("y"), each -> each.withPolicy(PoolRules.Consolidation.BALANCED))
                .with(machine("a", LARGE).pool("x"), machine("b", SMALL).pool("y"))
                .with(running("web", "a", "1"), running("api", "b", "1"));
        var problem = fleet.problem();
        var candidates = SingleNode.candidacy(problem).candidates();

        var verdict =
                Balance.of(problem, candidates)
                        .weigh(
                                new Command(
                                        DisruptionMethod.MULTI_NODE,
                                        candidates,
                                        List.of(),
                                        List.of()));

        assertThat(verdict.scores().get("x").savedShare()).isCloseTo(1, within(1e-9));
        assertThat(verdict.scores().get("y").savedShare()).isCloseTo(1, within(1e-9));
        assertThat(verdict.isApproved()).isTrue();
    }

    @Test
    void nodesThatAreNoCandidatesCountInTheirPoolAndThoseOfUnknownPoolsInNone() {
        fleet.with(
                        machine("a", LARGE),
                        machine("b", LARGE).nominated(),
                        machine("c", LARGE).pool("x"))
                .with(running("web", "a", "2"), running("api", "b", "8"));

        assertThat(score().savedShare()).isCloseTo(0.5, within(1e-9));
    }
}
