package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/// A node whose pods fit elsewhere goes.
final class ConsolidationDeleteTest {

    private static final String GUARD = LabelKeys.DO_NOT_DISRUPT;

    private final DisruptionStage stage = new DisruptionStage();

    @BeforeEach
    void pool() {
        stage.pool("100%");
    }

    /// Two nodes, with one pod on the first and two on the second.
    private void fleet(FleetNode a, FleetNode b) {
        stage.add(a, b);
        stage.rig.apply(pod(), DisruptionStage.pod("two", "b"), DisruptionStage.pod("three", "b"));
    }

    private static Manifest pod() {
        return DisruptionStage.pod("one", "a").label("app", "web");
    }

    private static FleetNode node(String name) {
        return new FleetNode(name);
    }

    private List<String> gone() {
        stage.passes();
        assertThat(stage.made("a", "b", "c")).isEmpty();
        return stage.queue.entries().stream()
                .flatMap(entry -> entry.command().nodes().stream())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"on-demand", "spot"})
    @Tag("J116")
    @Tag("J117")
    void aNodeWhosePodsFitElsewhereIsDeleted(String capacityType) {
        fleet(
                node("a").label(LabelKeys.CAPACITY_TYPE, capacityType),
                node("b").label(LabelKeys.CAPACITY_TYPE, capacityType));

        assertThat(gone()).containsExactly("a");
        stage.work();
        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.isGoing("b")).isFalse();
    }

    @Test
    @Tag("J118")
    void aPodThatComesMeanwhileSavesTheNodeItWouldHaveGoneTo() {
        fleet(node("a"), node("b"));
        stage.pass();
        stage.rig.apply(DisruptionStage.pod("more", "b"), DisruptionStage.pod("evenMore", "b"));
        stage.rig.advance(DisruptionStage.WAIT);
        stage.pass();

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.told("ConsolidationRejected", "a"))
                .anyMatch(text -> text.contains("scheduling"));
    }

    @Test
    @Tag("J119")
    void aPoolThatIsNotReadyIsNoObstacle() {
        stage.rig.apply(Manifest.pool("broken").condition("Ready", "False", stage.now()));
        fleet(node("a"), node("b"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J120")
    void podsMayMoveToNodesOfOthers() {
        stage.add(node("a"));
        stage.rig.apply(node("mine").node(), pod());

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J121")
    void aPodBudgetThatIsSpentKeepsTheNode() {
        stage.podBudget("pdb", "web", 0);
        fleet(node("a"), node("b"));

        assertThat(gone()).containsExactly("b");
    }

    @Test
    @Tag("J122")
    void aGuardedPodKeepsTheNode() {
        fleet(node("a"), node("b"));
        stage.rig.apply(pod().annotation(GUARD, "true"));

        assertThat(gone()).containsExactly("b");
    }

    @Test
    @Tag("J123")
    void aGuardedNodeStays() {
        fleet(node("a").annotation(GUARD, "true"), node("b"));

        assertThat(gone()).containsExactly("b");
    }

    @Test
    @Tag("J124")
    void aGracePeriodDoesNotOverrideAGuardedPod() {
        fleet(node("a").grace("5m"), node("b"));
        stage.rig.apply(pod().annotation(GUARD, "true"));

        assertThat(gone()).containsExactly("b");
    }

    @Test
    @Tag("J125")
    void aGracePeriodDoesNotOverrideAPodBudget() {
        stage.podBudget("pdb", "web", 0);
        fleet(node("a").grace("5m"), node("b"));

        assertThat(gone()).containsExactly("b");
    }

    private Manifest guardedFor(String duration) {
        return pod().annotation(GUARD, duration)
                .status("startTime", DisruptionStage.text(stage.now().toString()));
    }

    @Test
    @Tag("J126")
    void aDurationThatIsNotOverKeepsTheNode() {
        fleet(node("a"), node("b"));
        stage.rig.apply(guardedFor("1h"));

        assertThat(gone()).containsExactly("b");
        assertThat(stage.told("DoNotDisruptUntil", "one")).isNotEmpty();
    }

    @Test
    @Tag("J127")
    void aDurationThatIsOverKeepsNothing() {
        fleet(node("a"), node("b"));
        stage.rig.apply(guardedFor("1h"));
        stage.rig.advance(Duration.ofHours(2));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J128")
    void aDurationThatIsNoneKeepsNothing() {
        fleet(node("a"), node("b"));
        stage.rig.apply(guardedFor("-1h"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J129")
    void aPodWithoutAnOwnerMovesLikeAnyOther() {
        fleet(node("a"), node("b"));
        stage.rig.apply(Manifest.pod("one").requests("cpu", "1").on("a"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J130")
    void podsAreNotMeantForANodeThatIsNotInitialised() {
        stage.rig.cloud().types(dev.millwright.testing.kit.FakeCatalogue.linear(4));
        stage.add(node("a").type("fake-it-0", "4"), node("c").initialized(false));
        stage.rig.apply(pod());

        assertThat(gone()).isEmpty();
    }

    private void window(String duration) {
        stage.rig.apply(
                DisruptionStage.pool(
                        "default",
                        DisruptionStage.disruption("100%")
                                .put("consolidateAfter", duration)
                                .mapping()));
    }

    @Test
    @Tag("J131")
    void podsAreNotMeantForANodeWherePodsCameAMomentAgo() {
        window("1m");
        stage.rig.cloud().types(dev.millwright.testing.kit.FakeCatalogue.linear(4));
        fleet(node("a").type("fake-it-0", "4"), node("b").consolidatable(false));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J132")
    void podsMayGoToNodesOfAPoolThatNeverConsolidates() {
        stage.rig.apply(
                DisruptionStage.pool(
                        "never",
                        DisruptionStage.disruption("100%")
                                .put("consolidateAfter", "Never")
                                .mapping()));
        fleet(node("a"), node("b").pool("never").consolidatable(false));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J133")
    void aNodeIsReplacedThoughNodesWithRoomAreInTheirWindow() {
        window("1m");
        stage.rig.cloud().types(dev.millwright.testing.kit.FakeCatalogue.linear(8));
        stage.add(node("a").type("fake-it-7", "8"), node("b").consolidatable(false));
        stage.rig.apply(pod());

        stage.passes();

        assertThat(stage.made("a", "b")).hasSize(1);
    }

    @Test
    @Tag("J134")
    void nodesThatAreInitialisedAreFilledFirst() {
        stage.add(node("a"), node("b"), node("aa").initialized(false));
        stage.rig.apply(pod(), DisruptionStage.pod("two", "b"), DisruptionStage.pod("x", "b"));

        stage.passes();

        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("a"));
    }

    @Test
    @Tag("J135")
    void aPodThatWaitsForeverIsNoObstacle() {
        fleet(node("a"), node("b"));
        stage.rig.apply(Manifest.pod("huge").requests("cpu", "9999").unschedulable());

        assertThat(gone()).containsExactly("a");
    }

    @Test
    @Tag("J136")
    void aNodeStaysWhenItsPodsWouldHaveToWait() {
        stage.add(node("a").label("disk", "fast"), node("b").consolidatable(false));
        stage.rig.apply(
                pod().spec("nodeSelector", Tree.of("disk", "fast").mapping()),
                DisruptionStage.pod("two", "b"),
                DisruptionStage.pod("three", "b"),
                DisruptionStage.pod("four", "b"),
                DisruptionStage.pod("five", "b"));

        assertThat(gone()).isEmpty();
        assertThat(stage.told("Unconsolidatable", "a"))
                .anyMatch(text -> text.contains("default/one"));
    }
}
