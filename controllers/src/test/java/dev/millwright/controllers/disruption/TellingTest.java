package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Events and metrics of consolidation.
final class TellingTest {

    private final DisruptionStage stage = new DisruptionStage(SchedulingPolicy.DEFAULT, true);

    @BeforeEach
    void pool() {
        stage.pool("100%");
        stage.rig.cloud().types(FakeCatalogue.linear(40));
    }

    private static FleetNode node(String name) {
        return new FleetNode(name).type("fake-it-9", "10");
    }

    private void pods(String... nodes) {
        for (var node : nodes) {
            stage.rig.apply(DisruptionStage.pod("on-" + node, node).requests("cpu", "2"));
        }
    }

    private void poolOf(String policy, String after) {
        stage.rig.apply(
                DisruptionStage.pool(
                        "default",
                        DisruptionStage.disruption("100%")
                                .put("consolidationPolicy", policy)
                                .put("consolidateAfter", after)
                                .mapping()));
    }

    private double decisions(String decision, String reason, String type) {
        return stage.rig.count(Families.DISRUPTION_DECISIONS, decision, reason, type);
    }

    @Test
    @Tag("J52")
    @Tag("J53")
    void emptyNodesAreCountedAsDeletions() {
        stage.add(node("a"), node("b"));
        stage.passes();

        assertThat(decisions("delete", "empty", "empty")).isEqualTo(1);
        assertThat(
                        stage.rig.count(
                                Families.DISRUPTION_DECISIONS_BY_NODEPOOL,
                                "default",
                                "delete",
                                "empty",
                                "empty"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J54")
    void aSingleDeletionIsCounted() {
        stage.add(node("a"), node("b").consolidatable(false));
        pods("a", "b");
        stage.passes();

        assertThat(decisions("delete", "underutilized", "single")).isEqualTo(1);
    }

    @Test
    @Tag("J55")
    void aSingleReplacementIsCounted() {
        stage.add(node("a"));
        pods("a");
        stage.passes();

        assertThat(decisions("replace", "underutilized", "single")).isEqualTo(1);
    }

    @Test
    @Tag("J56")
    void aDeletionOfSeveralIsCounted() {
        stage.add(node("a"), node("b"), node("c").consolidatable(false));
        pods("a", "b", "c");
        stage.passes();

        assertThat(decisions("delete", "underutilized", "multi")).isEqualTo(1);
    }

    @Test
    @Tag("J57")
    void aReplacementOfSeveralIsCounted() {
        stage.add(node("a"), node("b"));
        pods("a", "b");
        stage.passes();

        assertThat(decisions("replace", "underutilized", "multi")).isEqualTo(1);
        assertThat(
                        stage.rig.count(
                                Families.CONSOLIDATION_MOVES,
                                "approved",
                                "default",
                                "WhenEmptyOrUnderutilized"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J59")
    void nothingIsToldOfANodeThatMayBeConsolidated() {
        stage.add(node("a"));
        pods("a");
        stage.pass();

        assertThat(stage.told("Unconsolidatable", "a")).isEmpty();
    }

    @Test
    @Tag("J60")
    void aPoolThatTakesOnlyEmptyNodesIsTold() {
        poolOf("WhenEmpty", "0s");
        stage.add(node("a"));
        pods("a");
        stage.pass();

        assertThat(stage.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains("WhenEmpty"));
    }

    @Test
    @Tag("J61")
    void aPoolThatNeverConsolidatesIsTold() {
        poolOf("WhenEmptyOrUnderutilized", "Never");
        stage.add(node("a"));
        pods("a");
        stage.pass();

        assertThat(stage.told("Unconsolidatable", "a")).anyMatch(text -> text.contains("Never"));
    }

    @Test
    @Tag("J62")
    void aTypeThatNobodyKnowsIsTold() {
        stage.add(node("a").type("gone", "10"));
        pods("a");
        stage.pass();

        assertThat(stage.told("Unconsolidatable", "a")).anyMatch(text -> text.contains("gone"));
    }

    @Test
    @Tag("J63")
    void aMissingCapacityTypeIsTold() {
        stage.add(node("a").without(LabelKeys.CAPACITY_TYPE));
        pods("a");
        stage.pass();

        assertThat(stage.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains(LabelKeys.CAPACITY_TYPE));
    }

    @Test
    @Tag("J64")
    void aMissingZoneIsTold() {
        stage.add(node("a").without(LabelKeys.ZONE));
        pods("a");
        stage.pass();

        assertThat(stage.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains(LabelKeys.ZONE));
    }

    @Test
    @Tag("J65")
    void theGaugeTellsHowManyNodesMayBeConsolidated() {
        stage.add(node("a"), node("b"), node("c").consolidatable(false));
        pods("a", "b", "c");
        stage.pass();

        assertThat(stage.rig.gauge(Families.DISRUPTION_ELIGIBLE_NODES, "underutilized"))
                .isEqualTo(2);
    }

    private double failed(String type) {
        return stage.rig.count(Families.DISRUPTION_FAILED_VALIDATIONS, type);
    }

    private void meanwhile(Runnable change) {
        stage.pass();
        change.run();
        stage.rig.advance(DisruptionStage.WAIT);
        stage.pass();
    }

    @Test
    @Tag("J66")
    void emptyNodesBeyondABudgetThatShrankAreCounted() {
        stage.add(node("a"), node("b"));
        meanwhile(() -> stage.pool("1"));

        assertThat(failed("empty")).isEqualTo(1);
        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    @Tag("J67")
    void emptyNodesThatArePeopledAreCounted() {
        stage.add(node("a"));
        meanwhile(() -> pods("a"));

        assertThat(failed("empty")).isEqualTo(1);
    }

    @Test
    @Tag("J68")
    void emptyNodesThatAreNominatedAreCounted() {
        stage.add(node("a"));
        meanwhile(() -> stage.marks.nominate("a", stage.now().plus(Duration.ofMinutes(1))));

        assertThat(failed("empty")).isEqualTo(1);
        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J69")
    void severalNodesBeyondABudgetThatShrankAreCounted() {
        stage.add(node("a"), node("b"));
        pods("a", "b");
        meanwhile(() -> stage.pool("1"));

        assertThat(failed("multi")).isEqualTo(2);
        assertThat(stage.told("ConsolidationRejected", "a"))
                .anyMatch(text -> text.contains("budget"));
    }

    @Test
    @Tag("J70")
    void severalNodesOfWhichOneIsGuardedAreCounted() {
        stage.add(node("a"), node("b"));
        pods("a", "b");
        meanwhile(() -> stage.add(node("a").annotation(LabelKeys.DO_NOT_DISRUPT, "true")));

        assertThat(failed("multi")).isEqualTo(2);
        assertThat(stage.told("ConsolidationRejected", "a"))
                .anyMatch(text -> text.contains("churn"));
    }

    @Test
    @Tag("J71")
    void severalNodesOfWhichOneIsNominatedAreCounted() {
        stage.add(node("a"), node("b"));
        pods("a", "b");
        meanwhile(() -> stage.marks.nominate("a", stage.now().plus(Duration.ofMinutes(1))));

        assertThat(failed("multi")).isEqualTo(2);
    }

    @Test
    @Tag("J72")
    void aSingleNodeBeyondABudgetThatShrankIsCounted() {
        stage.add(node("a"));
        pods("a");
        meanwhile(() -> stage.pool("0"));

        assertThat(failed("single")).isEqualTo(1);
    }

    @Test
    @Tag("J73")
    void aSingleNodeThatIsGuardedIsCounted() {
        stage.add(node("a"));
        pods("a");
        meanwhile(() -> stage.add(node("a").annotation(LabelKeys.DO_NOT_DISRUPT, "true")));

        assertThat(failed("single")).isEqualTo(1);
    }

    @Test
    @Tag("J74")
    void aSingleNodeThatIsNominatedIsCounted() {
        stage.add(node("a"));
        pods("a");
        meanwhile(() -> stage.marks.nominate("a", stage.now().plus(Duration.ofMinutes(1))));

        assertThat(failed("single")).isEqualTo(1);
        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    void whatSeveralMethodsSayAlikeIsToldOnce() {
        stage.add(node("a").annotation(LabelKeys.DO_NOT_DISRUPT, "true").drifted());
        pods("a");
        stage.rig.run(stage.controller);

        assertThat(stage.rig.events())
                .filteredOn(event -> event.reason().equals("DisruptionBlocked"))
                .extracting(event -> event.subject().kind())
                .containsExactlyInAnyOrder("Node", "NodeClaim");
    }
}
