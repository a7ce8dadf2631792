package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.testing.kit.NodeBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What forbids to take a node away, whatever the method.
final class CandidacyTest {

    private static final InstanceType TYPE = type("type", 4, 1).build();
    private static final ObjectName WEB = new ObjectName("default", "web");

    private final FleetBuilder fleet = fleet().selling(TYPE);

    private MachineBuilder a() {
        return machine("a", TYPE);
    }

    private KeepReason reason(MachineBuilder machine, DisruptionMethod method) {
        return fleet.with(machine).reason(method);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"REPAIR", "STATIC_DRIFT"})
    void aNodeThatGoesAlreadyIsNotTakenTwice(DisruptionMethod method) {
        assertThat(reason(a().queued().drifted(), method)).isEqualTo(new KeepReason.Queued());
    }

    @Test
    void aNodeOfSomebodyElseStays() {
        assertThat(reason(a().node(NodeBuilder::unmanaged), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.NotManaged());
    }

    @Test
    void aClaimWithoutNodeStays() {
        assertThat(reason(a().node(NodeBuilder::inFlight), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.WithoutNode());
    }

    @Test
    void aNodeThatRebootsStays() {
        assertThat(reason(a().rebooting(), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.Rebooting());
    }

    @Test
    void aNodeMarkedForDeletionStays() {
        assertThat(reason(a().node(NodeBuilder::markedForDeletion), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.Going());
    }

    @Test
    void aNodeWhoseInstanceIsTerminatedStays() {
        assertThat(reason(a().instanceTerminating(), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.Going());
    }

    @Test
    void aNodeThatIsNotInitializedStays() {
        assertThat(reason(a().node(NodeBuilder::registered), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.NotInitialized());
    }

    @Test
    void aNominatedNodeStays() {
        assertThat(reason(a().nominated(), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.Nominated());
    }

    @Test
    void aNodeThatItsOwnerGuardsStays() {
        assertThat(
                        reason(
                                a().annotation(LabelKeys.DO_NOT_DISRUPT, "true"),
                                DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.NodeGuarded());
    }

    @Test
    void aGuardThatSaysAnythingButTrueIsNone() {
        assertThat(
                        reason(
                                a().annotation(LabelKeys.DO_NOT_DISRUPT, "yes"),
                                DisruptionMethod.EMPTINESS))
                .isNull();
    }

    @Test
    void aNodeWithoutPoolStays() {
        assertThat(reason(a().without(LabelKeys.NODE_POOL), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.WithoutPoolLabel());
    }

    @Test
    void aNodeOfAPoolThatIsNotThereStays() {
        assertThat(reason(a().pool("gone"), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.PoolUnknown("gone"));
    }

    @Test
    void aNodeOfAPoolWithoutTypesStays() {
        fleet.sellingTo("default");

        assertThat(reason(a(), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.PoolWithoutTypes("default"));
    }

    @Test
    void aNodeOfAFrozenPoolStays() {
        var freeze = new Freeze("NodePool default", "audit");
        fleet.pool(each -> each.withControls(PoolControls.NONE.within(freeze)));

        assertThat(reason(a(), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.Frozen(freeze));
        assertThat(Emptiness.candidacy(fleet.problem()).candidates()).isEmpty();
    }

    @Test
    void aPodThatMustNotBeDisturbedKeepsItsNode() {
        fleet.with(running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isEqualTo(new KeepReason.PodGuarded(WEB));
    }

    @Test
    void aGuardOutweighsABudgetThatIsSpent() {
        fleet.with(
                running("api", "a", "1").label("app", "api"),
                running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"),
                disruptionBudget("api", Map.of("app", "api")).maxUnavailable("1"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isEqualTo(new KeepReason.PodGuarded(WEB));
    }

    @Test
    void aPodWhoseBudgetIsSpentKeepsItsNode() {
        fleet.with(
                running("web", "a", "1").label("app", "web"),
                disruptionBudget("web", Map.of("app", "web")).maxUnavailable("1"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isEqualTo(new KeepReason.PodBudgetSpent(WEB, new ObjectName("default", "web")));
    }

    @Test
    void aPodWhoseBudgetIsNotSpentKeepsNothing() {
        fleet.with(
                running("web", "a", "1").label("app", "web"),
                disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(1));

        var problem = fleet.with(a()).problem();

        assertThat(
                        Candidacy.blocked(
                                problem,
                                problem.machines().getFirst(),
                                DisruptionMethod.Manner.GRACEFUL))
                .isNull();
    }

    @Test
    void aPodOfTwoBudgetsKeepsItsNode() {
        fleet.with(
                running("web", "a", "1").label("app", "web").label("tier", "front"),
                disruptionBudget("app", Map.of("app", "web")).disruptionsAllowed(1),
                disruptionBudget("tier", Map.of("tier", "front")).disruptionsAllowed(1));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isEqualTo(
                        new KeepReason.PodBudgetsContested(
                                WEB,
                                List.of(
                                        new ObjectName("default", "app"),
                                        new ObjectName("default", "tier"))));
    }

    @Test
    void driftTakesANodeWithGuardedPodsOnlyWhenItsClaimBoundsTheirStay() {
        fleet.with(running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(reason(a().drifted(), DisruptionMethod.DRIFT))
                .isEqualTo(new KeepReason.PodGuarded(WEB));
    }

    @Test
    void aBoundedStayLetsDriftTakeANodeWithGuardedPods() {
        fleet.with(running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));
        var problem = fleet.with(a().drifted().grace(Duration.ofHours(1))).problem();

        assertThat(Drift.candidacy(problem).candidates())
                .extracting(Candidate::name)
                .containsExactly("a");
    }

    // Copies
    // ---------------------------------------------------------------------------------------

    private void copied(String pod, String node) {
        fleet.with(
                running(pod, node, "1")
                        .label("app", "web")
                        .annotation(ControlKeys.MAKE_BEFORE_BREAK, "true"));
    }

    @Test
    void theOnlyPodOfAWorkloadThatMovesByCopyNeedsNoBudget() {
        copied("web", "a");
        fleet.with(disruptionBudget("web", Map.of("app", "web")).maxUnavailable("0"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isNotInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    @Test
    void oneOfSeveralPodsThatMoveByCopyNeedsItsBudget() {
        copied("web", "a");
        copied("web-2", "b");
        fleet.with(disruptionBudget("web", Map.of("app", "web")).maxUnavailable("0"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    @Test
    void aSiblingThatEndsDoesNotCount() {
        copied("web", "a");
        fleet.with(
                running("web-2", "b", "1")
                        .label("app", "web")
                        .annotation(ControlKeys.MAKE_BEFORE_BREAK, "true")
                        .terminating(),
                disruptionBudget("web", Map.of("app", "web")).maxUnavailable("0"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isNotInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    @Test
    void podsOfDifferentWorkloadsAreNoSiblings() {
        copied("web", "a");
        fleet.with(
                pod("api", "1")
                        .ownedBy("ReplicaSet", "api")
                        .onNode("b")
                        .label("app", "web")
                        .annotation(ControlKeys.MAKE_BEFORE_BREAK, "true"),
                disruptionBudget("web", Map.of("app", "web")).maxUnavailable("0"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isNotInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    @Test
    void aPodThatIsNotToldToMoveByCopyNeedsItsBudgetBesideOneThatIs() {
        copied("web", "b");
        fleet.with(
                running("web-2", "a", "1").label("app", "web"),
                disruptionBudget("web", Map.of("app", "web")).maxUnavailable("0"));

        assertThat(reason(a(), DisruptionMethod.SINGLE_NODE))
                .isInstanceOf(KeepReason.PodBudgetSpent.class);
    }

    // Others
    // ---------------------------------------------------------------------------------------

    @Test
    void nodesThatAreHeldForAnotherReasonStayForIt() {
        var held = Map.<String, KeepReason>of("a", new KeepReason.TooTight());
        var problem = fleet.with(a(), machine("b", TYPE)).problem();

        var rest = Emptiness.candidacy(problem).without(held);

        assertThat(rest.candidates()).extracting(Candidate::name).containsExactly("b");
        assertThat(rest.kept()).containsEntry("a", new KeepReason.TooTight());
    }

    @Test
    void withoutHeldNodesTheCandidacyIsTheSame() {
        var candidacy = Emptiness.candidacy(fleet.with(a()).problem());

        assertThat(candidacy.without(Map.of())).isEqualTo(candidacy);
    }

    @Test
    void whatAMethodDoesNotWantStaysForTheMethodsReason() {
        fleet.pool(nodePool("static").replicas(1));

        assertThat(reason(a().pool("static"), DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.StaticPool());
    }
}
