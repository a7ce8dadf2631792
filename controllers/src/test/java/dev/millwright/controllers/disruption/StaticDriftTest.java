package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.RepairRules;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Drifted nodes of static pools are replaced one for one.
final class StaticDriftTest {

    private final DisruptionStage stage = new DisruptionStage();

    private static Manifest pool(String name, String budget, int replicas) {
        return DisruptionStage.pool(name, DisruptionStage.disruption(budget).mapping())
                .spec("replicas", DisruptionStage.number(replicas));
    }

    private static FleetNode drifted(String name) {
        return new FleetNode(name).drifted();
    }

    private void three() {
        stage.add(drifted("a"), drifted("b"), drifted("c"));
    }

    private List<String> made() {
        return stage.made("a", "b", "c", "x", "y", "z");
    }

    @Test
    @Tag("J-STATIC-1")
    void aBudgetOfACountBoundsThem() {
        stage.rig.apply(pool("default", "2", 3));
        three();

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(2);
        assertThat(made()).hasSize(2);
    }

    @Test
    @Tag("J-STATIC-2")
    void aBudgetOfAShareBoundsThem() {
        stage.rig.apply(pool("default", "50%", 3));
        three();

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(2);
    }

    @Test
    @Tag("J-STATIC-3")
    void eachPoolHasItsOwnBudget() {
        stage.rig.apply(pool("default", "1", 3), pool("other", "2", 3));
        three();
        stage.add(
                drifted("x").pool("other"), drifted("y").pool("other"), drifted("z").pool("other"));

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(3);
    }

    @Test
    @Tag("J-STATIC-4")
    void aLimitWithoutRoomKeepsAll() {
        stage.rig.apply(pool("default", "100%", 3).limits("nodes", "3"));
        three();

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-STATIC-5")
    void aLimitWithRoomForAllLetsAllGo() {
        stage.rig.apply(pool("default", "100%", 3).limits("nodes", "6"));
        three();

        stage.pass();

        assertThat(made()).hasSize(3);
    }

    @Test
    @Tag("J-STATIC-6")
    void aLimitWithRoomForSomeLetsSomeGo() {
        stage.rig.apply(pool("default", "100%", 3).limits("nodes", "5"));
        three();

        stage.pass();

        assertThat(made()).hasSize(2);
        assertThat(stage.reservations.reserved("default")).isZero();
    }

    @Test
    @Tag("J-STATIC-7")
    void theNextPassHeedsWhatIsUnderWay() {
        stage.rig.apply(pool("default", "100%", 3).limits("nodes", "5"));
        three();

        stage.pass();
        stage.launched();
        stage.pass();

        assertThat(made()).hasSize(2);
    }

    @Test
    @Tag("J-STATIC-8")
    void aPoolWithTooManyNodesShrinksFirst() {
        stage.rig.apply(pool("default", "100%", 2));
        three();

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-STATIC-9")
    void severalPoolsAreServedAtOnce() {
        stage.rig.apply(pool("default", "100%", 1), pool("other", "100%", 1));
        stage.add(drifted("a"), drifted("x").pool("other"));

        stage.pass();

        assertThat(stage.queue.entries()).hasSize(2);
        assertThat(stage.queue.entries())
                .allSatisfy(entry -> assertThat(entry.replacements()).hasSize(1));
    }

    @Test
    @Tag("J-STATIC-10")
    void aPoolOfNoReplicasReplacesNothing() {
        stage.rig.apply(pool("default", "100%", 0));
        stage.add(drifted("a"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-STATIC-11")
    void withoutALimitBudgetsAloneDecide() {
        stage.rig.apply(pool("default", "100%", 3));
        three();

        stage.pass();

        assertThat(made()).hasSize(3);
    }

    @Test
    @Tag("J-STATIC-12")
    void withoutTheConditionNothingHappens() {
        stage.rig.apply(pool("default", "100%", 1));
        stage.add(new FleetNode("a"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-STATIC-13")
    void aConditionThatIsFalseIsNoDrift() {
        stage.rig.apply(pool("default", "100%", 1));
        stage.add(new FleetNode("a").drifted("False"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-STATIC-14")
    void aGuardedNodeStays() {
        stage.rig.apply(pool("default", "100%", 1));
        stage.add(drifted("a").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    void theReplacementIsMadeOfTheTemplateAlone() {
        stage.rig.apply(pool("default", "100%", 1));
        stage.add(drifted("a"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        stage.pass();
        var made = stage.rig.claim(made().getFirst());

        assertThat(made.spec().requests().isEmpty()).isTrue();
        assertThat(made.spec().requirements())
                .noneMatch(each -> each.key().equals(LabelKeys.INSTANCE_TYPE));
        stage.initialized(made.name().name());
        stage.work();
        assertThat(stage.isGoing("a")).isTrue();
    }

    @Test
    @Tag("J-STATIC-15")
    void atTheLimitNodesGoFirstWhereThatIsAllowed() {
        var first = new DisruptionStage(new DisruptionOptions(RepairRules.NONE, true, false));
        first.rig.apply(pool("default", "1", 3).limits("nodes", "3"));
        first.add(drifted("a"), drifted("b"), drifted("c"));

        first.pass();
        first.work();

        assertThat(first.isGoing("a")).isTrue();
        assertThat(first.isGoing("b")).isFalse();
        assertThat(first.made("a", "b", "c")).isEmpty();
    }
}
