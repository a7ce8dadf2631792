package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Drift;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which nodes may be taken away at all, and of each other one why not.
final class CandidatesTest {

    private static final String GUARD = LabelKeys.DO_NOT_DISRUPT;

    private final DisruptionStage stage = new DisruptionStage();

    @BeforeEach
    void pool() {
        stage.pool("100%");
    }

    /// Why a consolidation leaves the node `a` alone, or null.
    private @Nullable KeepReason graceful() {
        return SingleNode.candidacy(stage.problem()).kept().get("a");
    }

    /// Why drift leaves the node `a` alone, or null.
    private @Nullable KeepReason eventual() {
        return Drift.candidacy(stage.problem()).kept().get("a");
    }

    private static FleetNode node() {
        return new FleetNode("a").drifted();
    }

    private static Manifest pod() {
        return DisruptionStage.pod("web", "a").label("app", "web");
    }

    private void given(FleetNode node, Manifest pod) {
        stage.add(node);
        stage.rig.apply(pod);
    }

    @Test
    @Tag("J19")
    void aGuardedPodKeepsItsNode() {
        given(node(), pod().annotation(GUARD, "true"));

        assertThat(graceful()).isInstanceOf(KeepReason.PodGuarded.class);
        assertThat(graceful().explain()).contains("default/web");
    }

    @Test
    @Tag("J20")
    void aGuardedPodOfTheKubeletKeepsItsNode() {
        given(
                node(),
                Manifest.pod("web").owner("v1", "Node", "a").on("a").annotation(GUARD, "true"));

        assertThat(graceful()).isInstanceOf(KeepReason.PodGuarded.class);
    }

    @Test
    @Tag("J21")
    void aGuardedDaemonKeepsItsNode() {
        given(node(), Manifest.pod("web").ofDaemonSet("d").on("a").annotation(GUARD, "true"));

        assertThat(graceful()).isInstanceOf(KeepReason.PodGuarded.class);
    }

    @Test
    @Tag("J22")
    @Tag("J24")
    void aGracePeriodLetsDriftPassAGuardedPodButNotConsolidation() {
        given(node().grace("5m"), pod().annotation(GUARD, "true"));

        assertThat(eventual()).isNull();
        assertThat(graceful()).isInstanceOf(KeepReason.PodGuarded.class);
    }

    @Test
    @Tag("J23")
    @Tag("J25")
    void aGracePeriodLetsDriftPassAPodBudgetButNotConsolidation() {
        stage.podBudget("pdb", "web", 0);
        given(node().grace("5m"), pod());

        assertThat(eventual()).isNull();
        assertThat(graceful()).isInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    @Test
    @Tag("J26")
    void withoutAGracePeriodAGuardedPodStopsDrift() {
        given(node(), pod().annotation(GUARD, "true"));

        assertThat(eventual()).isInstanceOf(KeepReason.PodGuarded.class);
    }

    @Test
    @Tag("J27")
    void withoutAGracePeriodAPodBudgetStopsDrift() {
        stage.podBudget("pdb", "web", 0);
        given(node(), pod());

        assertThat(eventual()).isInstanceOf(KeepReason.PodBudgetSpent.class);
        assertThat(eventual().explain()).contains("default/pdb");
    }

    @Test
    @Tag("J28")
    void aGuardedPodThatIsOnItsWayOutKeepsNothing() {
        given(
                node(),
                pod().annotation(GUARD, "true")
                        .finalizer("example.com/hold")
                        .deletedAt(stage.now()));

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J29")
    void aGuardedPodThatHasEndedKeepsNothing() {
        given(node(), pod().annotation(GUARD, "true").phase("Succeeded"));

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J30")
    void aGuardedNodeStays() {
        given(node().annotation(GUARD, "true"), pod());

        assertThat(eventual()).isInstanceOf(KeepReason.NodeGuarded.class);
    }

    @Test
    @Tag("J31")
    void aPodUnderTwoBudgetsKeepsItsNode() {
        stage.podBudget("one", "web", 1).podBudget("two", "web", 1);
        given(node(), pod());

        assertThat(graceful()).isInstanceOf(KeepReason.PodBudgetsContested.class);
        assertThat(graceful().explain()).contains("default/one", "default/two");
    }

    @Test
    @Tag("J32")
    void aPodWhoseBudgetIsSpentKeepsItsNode() {
        stage.podBudget("pdb", "web", Tree.of().put("maxUnavailable", 0), 0);
        given(node(), pod());

        assertThat(graceful()).isInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    @Test
    @Tag("J33")
    void aDaemonWhoseBudgetIsSpentKeepsItsNode() {
        stage.podBudget("pdb", "web", 0);
        given(node(), Manifest.pod("web").ofDaemonSet("d").label("app", "web").on("a"));

        assertThat(graceful()).isInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    @Test
    @Tag("J34")
    void aPodOfTheKubeletIsNotHeldByBudgets() {
        stage.podBudget("pdb", "web", 0);
        given(node(), Manifest.pod("web").owner("v1", "Node", "a").label("app", "web").on("a"));

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J35")
    void aPodThatHasEndedIsNotHeldByBudgets() {
        stage.podBudget("pdb", "web", 0);
        given(node(), pod().phase("Failed"));

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J36")
    void aPodThatIsOnItsWayOutIsNotHeldByBudgets() {
        stage.podBudget("pdb", "web", 0);
        given(node(), pod().finalizer("example.com/hold").deletedAt(stage.now()));

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J37")
    void aNodeWithoutAClaimIsNobodysCandidate() {
        stage.rig.apply(node().node());

        assertThat(eventual()).isInstanceOf(KeepReason.NotManaged.class);
    }

    @Test
    @Tag("J38")
    void aClaimWithoutANodeIsNoCandidate() {
        stage.rig.apply(node().claim());

        assertThat(eventual()).isInstanceOf(KeepReason.WithoutNode.class);
    }

    @Test
    @Tag("J39")
    void aNodeThatAPodIsBoundForStays() {
        given(node(), pod());
        stage.marks.nominate("a", stage.now().plusSeconds(20));

        assertThat(eventual()).isInstanceOf(KeepReason.Nominated.class);
    }

    @Test
    @Tag("J40")
    @Tag("J41")
    void aNodeWhoseClaimIsDeletedGoesAlready() {
        given(node().deletedAt(stage.now()), pod());

        assertThat(eventual()).isInstanceOf(KeepReason.Going.class);
    }

    @Test
    @Tag("J42")
    void aNodeThatIsMarkedGoesAlready() {
        given(node(), pod());
        stage.marks.mark("fake://a");

        assertThat(eventual()).isInstanceOf(KeepReason.Going.class);
    }

    @Test
    @Tag("J43")
    void aNodeThatIsNotInitialisedStays() {
        given(node().initialized(false), pod());

        assertThat(eventual()).isInstanceOf(KeepReason.NotInitialized.class);
    }

    @Test
    @Tag("J44")
    void aNodeWithoutThePoolsLabelStays() {
        stage.add(node().pool(""));

        assertThat(eventual()).isInstanceOf(KeepReason.WithoutPoolLabel.class);
    }

    @Test
    @Tag("J45")
    void aNodeOfAPoolThatIsNotThereStays() {
        stage.add(node().pool("gone"));

        assertThat(eventual()).isEqualTo(new KeepReason.PoolUnknown("gone"));
    }

    @Test
    @Tag("J46")
    void aMissingCapacityTypeIsNoObstacleToDrift() {
        given(node().without(LabelKeys.CAPACITY_TYPE), pod());

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J47")
    void aMissingZoneIsNoObstacleToDrift() {
        given(node().without(LabelKeys.ZONE), pod());

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J48")
    void aMissingInstanceTypeIsNoObstacleToDrift() {
        given(node().without(LabelKeys.INSTANCE_TYPE), pod());

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J49")
    void anUnknownInstanceTypeIsNoObstacleToDrift() {
        given(node().type("gone", "4"), pod());

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J50")
    void anAnnotationOtherThanTrueGuardsNoNode() {
        given(node().annotation(GUARD, "1h"), pod());

        assertThat(eventual()).isNull();
    }

    @Test
    @Tag("J51")
    void aNodeOfACommandUnderWayIsNotChosenAgain() {
        given(node(), pod());
        stage.pass();

        assertThat(eventual()).isInstanceOf(KeepReason.Queued.class);
    }

    @Test
    void whatBlocksANodeIsToldOnNodeAndClaim() {
        given(node(), pod().annotation(GUARD, "true"));
        stage.pass();

        assertThat(stage.told("DisruptionBlocked", "a"))
                .isNotEmpty()
                .allMatch(message -> message.contains("default/web"));
        assertThat(stage.rig.events().stream().map(event -> event.subject().kind()))
                .contains("Node", "NodeClaim");
    }

    @Test
    void aPoolWhoseTypesCannotBeToldKeepsItsNodes() {
        given(node(), pod());
        stage.rig
                .cloud()
                .catalogAnswer("default", new dev.millwright.spi.CatalogAnswer.Failed("no answer"));

        assertThat(eventual()).isEqualTo(new KeepReason.PoolWithoutTypes("default"));
    }
}
