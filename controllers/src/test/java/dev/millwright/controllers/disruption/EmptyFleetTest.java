package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// Which of many nodes without pods go, and what makes a node not empty.
final class EmptyFleetTest {

    private final DisruptionStage stage = new DisruptionStage();

    private static FleetNode node(String name) {
        return new FleetNode(name);
    }

    private DisruptionStage three(String budget) {
        return stage.pool(budget).add(node("a"), node("b"), node("c"));
    }

    private List<String> gone() {
        stage.passes();
        stage.work();
        return stage.rig.view().claims().stream()
                .filter(claim -> claim.isDeleting())
                .map(claim -> claim.name().name())
                .toList();
    }

    @Test
    @Tag("J-EMPTY-1")
    void theGaugeTellsHowManyNodesAreEmpty() {
        three("100%");
        stage.rig.apply(DisruptionStage.pod("web", "a"));
        stage.pass();

        assertThat(stage.rig.gauge(Families.DISRUPTION_ELIGIBLE_NODES, "empty")).isEqualTo(2);
    }

    @Test
    @Tag("J-EMPTY-2")
    @Tag("J75")
    void aBudgetLetsSomeOfManyGo() {
        three("2");

        assertThat(gone()).hasSize(2);
    }

    @Test
    @Tag("J-EMPTY-3")
    @Tag("J76")
    void aWholeBudgetLetsAllGo() {
        three("100%");

        assertThat(gone()).containsExactly("a", "b", "c");
    }

    @Test
    @Tag("J-EMPTY-4")
    @Tag("J79")
    void aBudgetOfZeroKeepsAll() {
        three("0");

        assertThat(gone()).isEmpty();
        assertThat(stage.told("DisruptionBlocked", "default")).isNotEmpty();
    }

    private void twoPools(String budget) {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption(budget).mapping()),
                DisruptionStage.pool("other", DisruptionStage.disruption(budget).mapping()));
        stage.add(
                node("a"),
                node("b"),
                node("c"),
                node("x").pool("other"),
                node("y").pool("other"),
                node("z").pool("other"));
    }

    @Test
    @Tag("J-EMPTY-5")
    @Tag("J80")
    void eachPoolHasItsOwnBudget() {
        twoPools("2");

        assertThat(gone()).hasSize(4);
    }

    @Test
    @Tag("J-EMPTY-6")
    @Tag("J81")
    void allPoolsMayBeEmptied() {
        twoPools("100%");

        assertThat(gone()).hasSize(6);
    }

    @Test
    @Tag("J82")
    void noPoolMayBeTouched() {
        twoPools("0");

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-7")
    void anEmptyNodeIsDeleted() {
        stage.pool("100%").add(node("a"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J-EMPTY-8")
    void anEmptyNodeThatDriftedGoesAsEmpty() {
        stage.pool("100%").add(node("a").drifted());

        assertThat(gone()).containsExactly("a");
        assertThat(stage.rig.count(Families.DISRUPTION_DECISIONS, "delete", "empty", "empty"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-EMPTY-9")
    void withoutTheConditionTheNodeStays() {
        stage.pool("100%").add(node("a").consolidatable(false));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-10")
    void aGuardedNodeStays() {
        stage.pool("100%").add(node("a").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-11")
    void anAnnotationOfFalseGuardsNothing() {
        stage.pool("100%").add(node("a").annotation(LabelKeys.DO_NOT_DISRUPT, "false"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J-EMPTY-12")
    void aNodeWithAPodIsNotEmpty() {
        stage.pool("100%").add(node("a").consolidatable(true).type("small-instance-type", "2"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-13")
    void aConditionThatIsFalseKeepsTheNode() {
        stage.pool("100%").add(node("a").consolidatable("False"));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-14")
    void severalGoInOneCommand() {
        three("100%");
        stage.passes();

        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).hasSize(3));
    }

    @Test
    @Tag("J-EMPTY-15")
    void aNodeThatAPodWaitsForStays() {
        stage.pool("100%").add(node("a"));
        stage.rig.apply(Manifest.pod("waits").requests("cpu", "1").unschedulable());
        stage.marks.nominate("a", stage.now().plusSeconds(60));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-16")
    void daemonsDoNotCount() {
        stage.pool("100%").add(node("a"));
        stage.rig.apply(Manifest.pod("d").ofDaemonSet("d").on("a"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J-EMPTY-17")
    void aPodOfADeploymentThatIsOnItsWayOutDoesNotCount() {
        stage.pool("100%").add(node("a"));
        stage.rig.apply(DisruptionStage.pod("web", "a").finalizer("x.io/y").deletedAt(stage.now()));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J-EMPTY-18")
    void aPodOfAStatefulSetThatIsOnItsWayOutComesBack() {
        stage.pool("100%").add(node("a").type("small-instance-type", "2"));
        stage.rig.apply(
                Manifest.pod("db-0")
                        .owner("apps/v1", "StatefulSet", "db")
                        .requests("cpu", "1")
                        .on("a")
                        .finalizer("x.io/y")
                        .deletedAt(stage.now()));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-19")
    void nothingGoesBeforeTheWaitIsOver() {
        stage.pool("100%").add(node("a"));
        stage.pass();
        stage.rig.advance(DisruptionStage.WAIT.minusSeconds(1));
        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-20")
    @Tag("J170")
    void nodesOfStaticPoolsStay() {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("100%").mapping())
                        .spec("replicas", DisruptionStage.number(1)));
        stage.add(node("a"));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J-EMPTY-21")
    @Tag("J-EMPTY-22")
    void aNodeThatABufferCountsOnStays() {
        three("100%");
        stage.marks.holdOpen(Map.of("a", 1, "b", 3));

        assertThat(gone()).containsExactly("c");
        assertThat(stage.told("Unconsolidatable", "b")).anyMatch(text -> text.contains("3 pods"));
    }

    @Test
    @Tag("J-EMPTY-23")
    void aNodeThatABufferNoLongerCountsOnGoes() {
        stage.pool("100%").add(node("a"));
        stage.marks.holdOpen(Map.of("a", 1));
        assertThat(gone()).isEmpty();

        stage.marks.holdOpen(Map.of());
        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J-EMPTY-24")
    void aBufferThatComesMeanwhileSavesTheNode() {
        stage.pool("100%").add(node("a"));
        stage.pass();
        stage.marks.holdOpen(Map.of("a", 1));
        stage.rig.advance(DisruptionStage.WAIT);
        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.rig.count(Families.DISRUPTION_FAILED_VALIDATIONS, "empty")).isEqualTo(1);
    }

    @Test
    @Tag("J-EMPTY-25")
    @Tag("J-EMPTY-26")
    void aBufferOfNothingKeepsNothing() {
        stage.pool("100%").add(node("a"));
        stage.marks.holdOpen(Map.of("a", 0));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J83")
    @Tag("J84")
    @Tag("J85")
    @Tag("J86")
    @Tag("J87")
    @Tag("J88")
    void whatABudgetWithheldIsLookedAtAgain() {
        three("0");
        stage.pass();
        stage.pool("100%");
        stage.rig.advance(java.time.Duration.ofSeconds(10));

        assertThat(gone()).containsExactly("a", "b", "c");
    }

    /// Its pods cost nothing to move: they would rather go.
    @Test
    void aNodeOfPodsThatNobodyMindsIsEmpty() {
        stage.pool("100%").add(node("a"));
        stage.rig.apply(
                DisruptionStage.pod("web", "a")
                        .annotation("controller.kubernetes.io/pod-deletion-cost", "-2147483647"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    void thoseThatCostMostGoFirst() {
        stage.pool("1").add(node("a"), node("b").type("arm-instance-type", "16"));

        assertThat(gone()).containsExactly("b");
    }

    @Test
    void aBudgetOutsideItsTimesBoundsNothing() {
        stage.rig.apply(
                DisruptionStage.pool(
                        "default",
                        DisruptionStage.disruption("0")
                                .putList(
                                        "budgets",
                                        List.of(
                                                Tree.of("nodes", "0")
                                                        .put("schedule", "0 3 * * *")
                                                        .put("duration", "1h")
                                                        .mapping()))
                                .mapping()));
        stage.add(node("a"));

        assertThat(gone()).containsExactly("a");
    }
}
