package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Balance;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.MultiNode;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/// Whole passes over pools of policy Balanced.
final class BalancedPoolsTest {

    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

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

    private void pods(String node, int count) {
        for (var index = 0; index < count; index++) {
            stage.rig.apply(DisruptionStage.pod(node + "-" + index, node));
        }
    }

    private Decision single() {
        var problem = stage.problem();
        return SingleNode.decide(
                problem,
                SingleNode.candidacy(problem),
                Allowances.of(problem, Reason.UNDERUTILIZED),
                Set.of());
    }

    private Decision multi() {
        var problem = stage.problem();
        return MultiNode.decide(
                problem,
                MultiNode.candidacy(problem),
                Allowances.of(problem, Reason.UNDERUTILIZED));
    }

    private static double price(int type) {
        return FakeCatalogue.linear(40).get(type).offerings().getFirst().pricePerHour();
    }

    /// A node of ten cpus with one pod in each of two pools.
    private void twoPools(String first, String second) {
        stage.rig.apply(pool("default", first), pool("other", second));
        stage.add(node("a", 10), node("b", 10).pool("other"));
        pods("a", 1);
        pods("b", 1);
    }

    @Test
    @Tag("J-BAL-31")
    @Tag("J-BAL-32")
    void savingsAreSplitByWhatThePoolsPay() {
        twoPools("Balanced", "Balanced");

        var verdict = multi().search().weighed().getFirst();
        var one = verdict.scores().get("default");
        var other = verdict.scores().get("other");

        assertThat(verdict.isApproved()).isTrue();
        assertThat(one.savedShare()).isCloseTo(other.savedShare(), CLOSE);
        assertThat(one.savedShare() * price(9) * 2)
                .isCloseTo(verdict.command().savedPerHour(), Offset.offset(1e-6));
    }

    @Test
    @Tag("J-BAL-33")
    void aPoolOfAnotherPolicyHasNoScore() {
        twoPools("Balanced", "WhenEmptyOrUnderutilized");

        assertThat(multi().search().weighed().getFirst().scores()).containsOnlyKeys("default");
    }

    @Test
    @Tag("J-BAL-34")
    void movesOfEveryPolicyAreCounted() {
        twoPools("Balanced", "WhenEmptyOrUnderutilized");
        stage.pass();

        assertThat(moves("approved", "default", "Balanced")).isEqualTo(1);
        assertThat(moves("approved", "other", "WhenEmptyOrUnderutilized")).isEqualTo(1);
    }

    private double moves(String decision, String pool, String policy) {
        return stage.rig.count(Families.CONSOLIDATION_MOVES, decision, pool, policy);
    }

    private List<Double> scores(String decision, String pool, String policy) {
        return stage.rig.observations(Families.CONSOLIDATION_SCORE, decision, pool, policy);
    }

    @Test
    @Tag("J-BAL-35")
    void onlyBalancedPoolsHaveTheirScoreObserved() {
        twoPools("Balanced", "WhenEmptyOrUnderutilized");
        stage.pass();

        assertThat(scores("approved", "default", "Balanced")).hasSize(1);
        assertThat(scores("approved", "other", "WhenEmptyOrUnderutilized")).isEmpty();
    }

    @Test
    @Tag("J-BAL-36")
    void aPoolOfOneNodeIsItsOwnMeasure() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 30));
        pods("a", 1);

        var score = single().search().weighed().getFirst().scores().get("default");

        assertThat(score.disturbedShare()).isCloseTo(1, CLOSE);
        assertThat(score.savedShare()).isBetween(0.9, 1.0);
    }

    @Test
    @Tag("J-BAL-37")
    void aNodeThatCannotBeWorthItIsNotSimulated() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 2), node("b", 40).consolidatable(false));
        pods("a", 1);
        stage.rig.apply(DisruptionStage.pod("big", "b").requests("cpu", "30"));

        var decision = single();

        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.NotWorthIt.class);
        assertThat(decision.search().weighed()).isEmpty();
    }

    @Test
    @Tag("J-BAL-38")
    void aDeletionSavesThePrice() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 10), node("b", 10).consolidatable(false));
        pods("a", 1);
        pods("b", 1);

        var command = single().commands().getFirst();

        assertThat(command.decision()).isEqualTo("delete");
        assertThat(command.savedPerHour())
                .isCloseTo(command.candidates().getFirst().pricePerHour(), CLOSE);
    }

    @Test
    @Tag("J-BAL-39")
    void aReplacementSavesTheDifferenceToTheCheapest() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 10));
        pods("a", 1);

        var command = single().commands().getFirst();
        var price = price(1);

        assertThat(command.savedPerHour())
                .isCloseTo(command.candidates().getFirst().pricePerHour() - price, CLOSE);
    }

    @Test
    @Tag("J-BAL-40")
    void nodesWithoutAPriceAreNotApproved() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(
                node("a", 10).label("topology.kubernetes.io/zone", "elsewhere"),
                node("b", 10)
                        .label("topology.kubernetes.io/zone", "elsewhere")
                        .consolidatable(false));
        pods("a", 1);
        pods("b", 1);

        assertThat(single().commands()).isEmpty();
    }

    @Test
    @Tag("J-BAL-41")
    void withoutCandidatesNothingIsWeighed() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 10).consolidatable(false));
        pods("a", 1);

        assertThat(single().search().weighed()).isEmpty();
        assertThat(multi().search().weighed()).isEmpty();
    }

    @Test
    @Tag("J-BAL-42")
    void driftIsNotWeighed() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 12).drifted().consolidatable(false));
        pods("a", 10);
        stage.pass();

        assertThat(stage.queue.entries()).hasSize(1);
        assertThat(moves("approved", "default", "Balanced")).isZero();
    }

    @Test
    @Tag("J-BAL-43")
    @Tag("J-BAL-44")
    void emptinessIsNotWeighed() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 12));
        stage.passes();

        assertThat(stage.queue.entries()).hasSize(1);
        assertThat(moves("approved", "default", "Balanced")).isZero();
    }

    @Test
    @Tag("J-BAL-45")
    void aRefusedSearchForSeveralIsCountedOnce() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 12), node("b", 12));
        pods("a", 10);
        pods("b", 10);
        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("ConsolidationApproved", "default")).isEmpty();
    }

    @Test
    @Tag("J-BAL-46")
    @Tag("J-BAL-47")
    void theThresholdIsHalfTheShare() {
        assertThat(Balance.SCORE_MIN).isEqualTo(0.5);
        assertThat(new Balance.Score(0.25, 0.5).isApproved()).isTrue();
        assertThat(new Balance.Score(0.2499, 0.5).isApproved()).isFalse();
    }

    @Test
    @Tag("J-BAL-48")
    void podsThatNobodyMindsDisturbNothing() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 10));
        pods("a", 1);
        stage.rig.apply(
                DisruptionStage.pod("cheap", "a")
                        .annotation("controller.kubernetes.io/pod-deletion-cost", "-2147483647"));

        assertThat(SingleNode.candidacy(stage.problem()).candidates().getFirst().cost())
                .isEqualTo(2);
    }

    @Test
    @Tag("J-BAL-49")
    void daemonsDisturbNothing() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 10));
        pods("a", 1);
        stage.rig.apply(Manifest.pod("daemon").ofDaemonSet("d").on("a"));

        assertThat(SingleNode.candidacy(stage.problem()).candidates().getFirst().cost())
                .isEqualTo(2);
    }

    @Test
    @Tag("J-BAL-50")
    void aMoveThatIsApprovedIsCarriedOut() {
        stage.rig.apply(pool("default", "Balanced"));
        stage.add(node("a", 30));
        pods("a", 1);
        stage.passes();
        stage.initialized(stage.made("a").getFirst());
        stage.work();

        assertThat(stage.isGoing("a")).isTrue();
        assertThat(
                        stage.rig.count(
                                Families.NODECLAIMS_DISRUPTED,
                                "underutilized",
                                "default",
                                "on-demand",
                                "balanced",
                                "graceful"))
                .isEqualTo(1);
    }
}
