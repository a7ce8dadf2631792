package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.disruption.Balance.Score;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// A pool of policy Balanced takes a move only when it saves enough for what it disturbs.
final class BalanceTest {

    private final DisruptionStage stage = new DisruptionStage();

    @BeforeEach
    void types() {
        stage.rig.cloud().types(FakeCatalogue.linear(40));
    }

    private static Manifest pool(String name, String policy) {
        return DisruptionStage.pool(
                name,
                DisruptionStage.disruption("100%").put("consolidationPolicy", policy).mapping());
    }

    private static FleetNode node(String name, int cpus) {
        return new FleetNode(name).type("fake-it-" + (cpus - 1), Integer.toString(cpus));
    }

    /// So many pods of one cpu each.
    private void pods(String node, int count) {
        for (var index = 0; index < count; index++) {
            stage.rig.apply(DisruptionStage.pod(node + "-" + index, node));
        }
    }

    private List<String> gone() {
        stage.passes();
        return stage.queue.entries().stream()
                .flatMap(entry -> entry.command().nodes().stream())
                .sorted()
                .toList();
    }

    @Test
    @Tag("J-BAL-1")
    void aNodeFarTooLargeIsReplaced() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 30));
        pods("a", 1);

        assertThat(gone()).containsExactly("a");
        assertThat(stage.told("ConsolidationApproved", "a")).hasSize(2);
        assertThat(stage.rig.count(Families.CONSOLIDATION_MOVES, "approved", "default", "Balanced"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-BAL-2")
    void aNodeThatOthersHaveRoomForIsDeleted() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 4), node("b", 10).consolidatable(false));
        pods("a", 1);
        pods("b", 2);

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J-BAL-3")
    void aMoveThatSavesLittleForMuchIsRefused() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 12));
        pods("a", 10);

        assertThat(gone()).isEmpty();
        assertThat(stage.rig.count(Families.CONSOLIDATION_MOVES, "rejected", "default", "Balanced"))
                .isEqualTo(1);
        assertThat(
                        stage.rig.observations(
                                Families.CONSOLIDATION_SCORE, "rejected", "default", "Balanced"))
                .hasSize(1);
        assertThat(stage.told("ConsolidationApproved", "a")).isEmpty();
    }

    @Test
    @Tag("J-BAL-4")
    void poolsOfOtherPoliciesAlwaysApprove() {
        stage.rig.apply(pool("default", "WhenEmptyOrUnderutilized"));
        stage.add(node("a", 12), node("b", 38).consolidatable(false));
        pods("a", 10);
        stage.rig.apply(DisruptionStage.pod("big", "b").requests("cpu", "38"));

        assertThat(gone()).containsExactly("a");
        assertThat(stage.told("ConsolidationApproved", "a")).isEmpty();
    }

    @Test
    @Tag("J-BAL-5")
    void emptyNodesGoUnderThePolicyToo() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 4));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J-BAL-6")
    void severalAreToldOnThePool() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 10), node("b", 10));
        pods("a", 1);
        pods("b", 1);

        assertThat(gone()).containsExactly("a", "b");
        assertThat(stage.told("ConsolidationApproved", "default")).hasSize(1);
        assertThat(stage.told("ConsolidationApproved", "a")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 0.5, 1.0, true",
        "0.2, 0.4, 0.5, true",
        "0.1, 0.4, 0.25, false",
        "0, 0.4, 0, false",
        "-0.1, 0.4, 0, false",
        "0.1, 0, Infinity, true"
    })
    @Tag("J-BAL-7")
    @Tag("J-BAL-8")
    @Tag("J-BAL-9")
    @Tag("J-BAL-10")
    @Tag("J-BAL-11")
    @Tag("J-BAL-12")
    void theScoreIsWhatIsSavedForWhatIsDisturbed(
            double saved, double disturbed, double value, boolean isApproved) {
        var score = new Score(saved, disturbed);

        assertThat(score.value()).isEqualTo(value);
        assertThat(score.isApproved()).isEqualTo(isApproved);
    }

    @Test
    @Tag("J-BAL-13")
    void withoutAPriceNothingIsApproved() {
        assertThat(new Score(0, 0).isApproved()).isFalse();
        assertThat(new Score(Double.NaN, 1).isApproved()).isFalse();
    }

    /// Also the disturbance of nodes that are no candidates counts.
    @Test
    @Tag("J-BAL-14")
    void thePoolsTotalsAreThoseOfAllItsNodes() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 4), node("b", 36).consolidatable(false));
        pods("a", 2);
        stage.rig.apply(DisruptionStage.pod("big", "b").requests("cpu", "20"));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-BAL-15")
    void everyBalancedPoolOfAMoveMustApprove() {
        stage.rig.apply(pool("default", "WhenEmptyOrUnderutilized"), pool("other", "Balanced"));
        stage.add(
                node("a", 4),
                node("b", 36).pool("other").consolidatable(false),
                node("c", 4).pool("other"));
        pods("a", 1);
        pods("c", 3);
        stage.rig.apply(DisruptionStage.pod("big", "b").requests("cpu", "20"));

        assertThat(gone()).containsExactly("a");
    }
}
