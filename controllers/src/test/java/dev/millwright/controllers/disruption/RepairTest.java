package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.RepairRules;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Sick nodes are replaced within budgets, unless too many are sick.
final class RepairTest {

    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private static final RepairPolicy BAD =
            new RepairPolicy("BadNode", "True", PATIENCE).drainedWithin(Duration.ofSeconds(45));

    private DisruptionStage stage = stage(false, BAD);

    private static DisruptionStage stage(boolean isTerminateFirst, RepairPolicy... policies) {
        var rules = new RepairRules(List.of(policies));
        return new DisruptionStage(new DisruptionOptions(rules, false, isTerminateFirst));
    }

    private static FleetNode well(String name) {
        return new FleetNode(name).consolidatable(false);
    }

    private static FleetNode sick(String name) {
        return well(name).condition("BadNode", "True", "Broken", Given.NOON);
    }

    /// A pool of five, of which these are sick, each with a pod, and patience is over.
    private void five(FleetNode... nodes) {
        for (var node : nodes) {
            stage.add(node);
        }
        for (var count = nodes.length; count < 5; count++) {
            stage.add(well("well-" + count));
        }
        stage.rig.advance(PATIENCE);
    }

    private List<String> made() {
        return stage.made("a", "b", "well-1", "well-2", "well-3", "well-4");
    }

    @Test
    @Tag("J-REPAIR-1")
    void aSickNodeGoesOnceItsReplacementIsThere() {
        stage.pool("100%");
        stage.rig.apply(DisruptionStage.pod("p", "a").requests("cpu", "3"));
        stage.rig.apply(DisruptionStage.pod("q1", "well-1").requests("cpu", "3"));
        stage.rig.apply(DisruptionStage.pod("q2", "well-2").requests("cpu", "3"));
        stage.rig.apply(DisruptionStage.pod("q3", "well-3").requests("cpu", "3"));
        stage.rig.apply(DisruptionStage.pod("q4", "well-4").requests("cpu", "3"));
        five(sick("a"));

        stage.pass();
        stage.launched();
        stage.work();

        assertThat(made()).hasSize(1);
        assertThat(stage.isTainted("a")).isTrue();
        assertThat(stage.isGoing("a")).isFalse();

        stage.initialized(made().getFirst());
        stage.work();

        assertThat(stage.isGoing("a")).isTrue();
    }

    @Test
    @Tag("J-REPAIR-2")
    void anEmptySickNodeGoesAtOnceWithinItsDrain() {
        stage.pool("100%");
        five(sick("a"));

        stage.pass();
        stage.work();

        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.rig.claim("a").meta().annotation(AnnotationKeys.TERMINATION_TIMESTAMP))
                .isEqualTo(stage.now().plusSeconds(45).toString());
        assertThat(
                        stage.rig.count(
                                Families.NODECLAIMS_UNHEALTHY_DISRUPTED,
                                "bad_node",
                                "default",
                                "on-demand",
                                "",
                                "eventual"))
                .isEqualTo(1);
        assertThat(stage.rig.count(Families.DISRUPTION_DECISIONS, "delete", "unhealthy", ""))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-REPAIR-3")
    void aNodeIsToleratedForAsLongAsItsPolicySays() {
        stage.pool("100%").add(sick("a"), well("b"));
        stage.rig.advance(PATIENCE.minusSeconds(1));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-REPAIR-4")
    void noConditionIsOlderThanItsNode() {
        stage.pool("100%")
                .add(
                        well("a")
                                .condition(
                                        "BadNode",
                                        "True",
                                        "Broken",
                                        Given.NOON.minus(Duration.ofDays(1))));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-REPAIR-5")
    void moreThanAFifthSickFreezesThePool() {
        stage.pool("100%");
        five(sick("a"), sick("b"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("NodeRepairBlocked", "a"))
                .hasSize(2)
                .allMatch(said -> said.contains("2 of 5"));
        assertThat(stage.told("NodeRepairBlocked", "default")).isNotEmpty();
    }

    @Test
    @Tag("J-REPAIR-6")
    void theOnlyNodeOfAPoolIsRepaired() {
        stage.pool("100%").add(sick("a"));
        stage.rig.advance(PATIENCE);

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    @Tag("J-REPAIR-7")
    void anAnnotationForbidsRepair() {
        stage.pool("100%");
        five(sick("a").annotation(LabelKeys.DO_NOT_REPAIR, "true"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("DisruptionBlocked", "a"))
                .isNotEmpty()
                .allMatch(said -> said.contains(LabelKeys.DO_NOT_REPAIR));
    }

    @Test
    @Tag("J-REPAIR-8")
    void aNodesGuardDoesNotKeepASickOne() {
        stage.pool("100%");
        five(sick("a").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    @Tag("J-REPAIR-9")
    void aSpentBudgetKeepsASickNode() {
        stage.pool("0");
        five(sick("a"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-REPAIR-10")
    void nodesThatAreNotReadyTakeNoBudgetFromRepair() {
        stage.pool("1");
        five(sick("a"), well("b").notReady());

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    @Tag("J-REPAIR-11")
    void guardedPodsLeaveWhenTheirTimeIsOverAndAreBoughtFor() {
        stage.pool("100%").add(sick("a"));
        stage.rig.apply(DisruptionStage.pod("p", "a").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));
        stage.rig.advance(PATIENCE);

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(1);
        assertThat(made()).hasSize(1);
    }

    @Test
    @Tag("J-REPAIR-12")
    void guardedPodsKeepANodeWhereNothingBoundsTheirStay() {
        stage = stage(false, new RepairPolicy("BadNode", "True", PATIENCE));
        stage.pool("100%");
        stage.rig.apply(DisruptionStage.pod("p", "a").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));
        five(sick("a"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("DisruptionBlocked", "a"))
                .anyMatch(said -> said.contains("terminationGracePeriod"));
    }

    @Test
    @Tag("J-REPAIR-13")
    void aNodeThatNeverCameUpIsRepairedWithoutABudget() {
        stage.pool("0");
        five(sick("a").registered());

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    @Tag("J-REPAIR-14")
    void repairComesBeforeDrift() {
        stage.pool("1");
        five(sick("b"), well("a").drifted());

        stage.pass();

        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("b"));
    }

    @Test
    @Tag("J-REPAIR-15")
    void aStaticPoolAtItsLimitKeepsItsSickNode() {
        atLimit(stage);

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("DisruptionBlocked", "a"))
                .anyMatch(said -> said.contains("limits.nodes"));
    }

    @Test
    @Tag("J-REPAIR-16")
    void aStaticPoolAtItsLimitLosesItsSickNodeFirstWhereThatIsAllowed() {
        stage = stage(true, BAD);
        atLimit(stage);

        stage.pass();
        stage.work();

        assertThat(stage.isGoing("a")).isTrue();
        assertThat(made()).isEmpty();
        assertThat(
                        stage.rig.count(
                                Families.DISRUPTION_DECISIONS, "terminate-first", "unhealthy", ""))
                .isEqualTo(1);
    }

    private static void atLimit(DisruptionStage stage) {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("100%").mapping())
                        .spec("replicas", DisruptionStage.number(1))
                        .limits("nodes", "1"));
        stage.add(sick("a"));
        stage.rig.advance(PATIENCE);
    }

    @Test
    @Tag("J-REPAIR-17")
    void aStaticPoolWithRoomGetsItsReplacementFirst() {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("100%").mapping())
                        .spec("replicas", DisruptionStage.number(1)));
        stage.add(sick("a"));
        stage.rig.advance(PATIENCE);

        stage.pass();

        assertThat(made()).hasSize(1);
        assertThat(stage.isGoing("a")).isFalse();
    }

    @Test
    @Tag("J-REPAIR-18")
    void withoutPoliciesNothingIsSick() {
        stage = new DisruptionStage();
        stage.pool("100%");
        five(sick("a"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }
}
