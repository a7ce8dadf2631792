package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Balance;
import dev.millwright.core.disruption.Balance.Totals;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Set;

/// Shares, scores and prices that moves are weighed by.
final class ScoreTest {

    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    private final DisruptionStage stage = new DisruptionStage();

    private static double score(double saved, double cost, double totalPrice, double totalCost) {
        return Balance.score(saved, cost, new Totals(totalPrice, totalCost)).value();
    }

    /// One of ten equal nodes: a tenth of the price for a tenth of the disturbance.
    @Test
    @Tag("J-BAL-16")
    void oneOfEqualNodesScoresOne() {
        assertThat(score(1, 5, 10, 50)).isCloseTo(1, CLOSE);
    }

    @Test
    @Tag("J-BAL-17")
    void aNodeWithFewerPodsThanOthersScoresMore() {
        assertThat(score(1, 2, 10, 50)).isGreaterThan(score(1, 5, 10, 50));
    }

    @ParameterizedTest
    @CsvSource({"1", "10", "1000"})
    @Tag("J-BAL-18")
    void theScoreDoesNotDependOnTheSizeOfThePool(double factor) {
        assertThat(score(factor, 5 * factor, 10 * factor, 50 * factor)).isCloseTo(1, CLOSE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0, 10", "1, 1, 10, 0", "1, 1, 0, 0", "-1, 1, 10, 10"})
    @Tag("J-BAL-19")
    @Tag("J-BAL-20")
    @Tag("J-BAL-21")
    @Tag("J-BAL-22")
    void withoutAnythingToCompareWithNothingIsApproved(
            double saved, double cost, double totalPrice, double totalCost) {
        assertThat(Balance.score(saved, cost, new Totals(totalPrice, totalCost)).isApproved())
                .isFalse();
    }

    /// In the order they are looked at; each node has one pod.
    private List<Candidate> candidates(FleetNode... nodes) {
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        stage.add(nodes);
        for (var node : nodes) {
            stage.rig.apply(DisruptionStage.pod("on-" + node.name(), node.name()));
        }
        return SingleNode.inTurns(SingleNode.candidacy(stage.problem()).candidates(), Set.of());
    }

    private static FleetNode node(String name, int cpus) {
        return new FleetNode(name).type("fake-it-" + (cpus - 1), Integer.toString(cpus));
    }

    @Test
    @Tag("J-BAL-23")
    void aPoolThatTakesOnlyEmptyNodesHasNoCandidates() {
        stage.rig.apply(
                DisruptionStage.pool(
                        "default",
                        DisruptionStage.disruption("100%")
                                .put("consolidationPolicy", "WhenEmpty")
                                .mapping()));

        assertThat(candidates(node("a", 4))).isEmpty();
        assertThat(SingleNode.candidacy(stage.problem()).kept().get("a"))
                .isEqualTo(new KeepReason.OnlyWhenEmpty("default"));
    }

    @Test
    @Tag("J-BAL-24")
    void aBalancedPoolHasCandidates() {
        stage.rig.apply(
                DisruptionStage.pool(
                        "default",
                        DisruptionStage.disruption("100%")
                                .put("consolidationPolicy", "Balanced")
                                .mapping()));

        assertThat(candidates(node("a", 4))).hasSize(1);
    }

    @Test
    @Tag("J-BAL-25")
    void aNodeWhoseOfferingIsGoneHasNoPrice() {
        stage.pool("100%");

        assertThat(candidates(node("a", 4).label("topology.kubernetes.io/zone", "elsewhere")))
                .singleElement()
                .satisfies(each -> assertThat(each.pricePerHour()).isZero());
    }

    @Test
    @Tag("J-BAL-26")
    void anOfferingThatIsNotAvailableStillTellsThePrice() {
        stage.pool("100%");
        var before = candidates(node("a", 4)).getFirst().pricePerHour();
        stage.rig
                .cloud()
                .types(
                        FakeCatalogue.linear(20).stream()
                                .map(
                                        type ->
                                                type.withOfferings(
                                                        type.offerings().stream()
                                                                .map(each -> each.unavailable())
                                                                .toList()))
                                .toList());

        assertThat(SingleNode.candidacy(stage.problem()).candidates().getFirst().pricePerHour())
                .isEqualTo(before)
                .isPositive();
    }

    @Test
    @Tag("J-BAL-27")
    void ratioIsPriceForWhatIsDisturbed() {
        stage.pool("100%");
        var candidate = candidates(node("a", 4)).getFirst();

        assertThat(candidate.savingsRatio()).isCloseTo(candidate.pricePerHour() / 2, CLOSE);
    }

    @Test
    @Tag("J-BAL-28")
    void dearerNodesComeFirst() {
        stage.pool("100%");

        assertThat(candidates(node("a", 4), node("b", 8), node("c", 6)))
                .extracting(Candidate::name)
                .containsExactly("b", "c", "a");
    }

    @Test
    @Tag("J-BAL-29")
    void amongEqualsTheOneWithFewerPodsComesFirst() {
        stage.pool("100%");
        stage.rig.apply(DisruptionStage.pod("more", "a").requests("cpu", "100m"));

        assertThat(candidates(node("a", 4), node("b", 4)))
                .extracting(Candidate::name)
                .containsExactly("b", "a");
    }

    @Test
    @Tag("J-BAL-30")
    void amongEqualsNamesDecide() {
        stage.pool("100%");

        assertThat(candidates(node("c", 4), node("a", 4), node("b", 4)))
                .extracting(Candidate::name)
                .containsExactly("a", "b", "c");
    }
}
