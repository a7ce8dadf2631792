package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.core.disruption.MachineBuilder.spotMachine;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Validation.Broken;
import dev.millwright.core.disruption.Validation.Cause;
import dev.millwright.core.disruption.Validation.Holds;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// One node goes, for none or for a cheaper one.
final class OneNodeTest {

    private static final InstanceType SMALL = type("small", 2, 1).build();
    private static final InstanceType LARGE = type("large", 8, 3).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    private Decision decision() {
        return fleet.decide(DisruptionMethod.SINGLE_NODE);
    }

    private Command command() {
        return decision().commands().getFirst();
    }

    private PlannedClaim planned() {
        return ((Replacement.Planned) command().replacements().getFirst()).claim();
    }

    private KeepReason reason() {
        return fleet.reason(DisruptionMethod.SINGLE_NODE);
    }

    // Going
    // ----------------------------------------------------------------------------------------

    @Test
    void aNodeWhosePodsFitElsewhereIsDeleted() {
        fleet.with(machine("a", SMALL), machine("b", LARGE))
                .with(running("web", "a", "1"), running("api", "b", "5"));

        assertThat(command().nodes()).containsExactly("a");
        assertThat(command().decision()).isEqualTo("delete");
        assertThat(command().nominated()).containsExactly("b");
        assertThat(command().method()).isEqualTo(DisruptionMethod.SINGLE_NODE);
        assertThat(decision().isWithheld()).isFalse();
        assertThat(decision().eligible()).isEqualTo(2);
    }

    @Test
    void aNodeThatIsTooLargeIsReplacedByASmallerOne() {
        fleet.with(machine("a", LARGE)).with(running("web", "a", "1"));

        assertThat(planned().types()).extracting(TypeOption::name).containsExactly("small");
        assertThat(command().savedPerHour()).isCloseTo(2, within(1e-9));
    }

    @Test
    void theSmallerNodeMayBeOfAPoolThatDisruptsNothing() {
        fleet.pool(nodePool("default"))
                .with(nodePool("heavy").weight(10))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(planned().nodePool()).isEqualTo("heavy");
    }

    @Test
    void aNodeThatIsJustRightStays() {
        fleet.with(machine("a", SMALL)).with(running("web", "a", "2"));

        assertThat(reason()).isEqualTo(new KeepReason.NotCheaper(1));
    }

    @Test
    void aNodeWhosePodsNeedSeveralNewOnesStays() {
        var huge = type("huge", 16, 30).build();
        fleet.selling(SMALL, huge)
                .with(machine("a", huge))
                .with(
                        running("one", "a", "2"),
                        running("two", "a", "9").nodeSelector("integer", "16"));
        fleet.with(running("three", "a", "1").nodeSelector("integer", "2"));

        assertThat(reason()).isEqualTo(new KeepReason.NeedsSeveralNodes(2));
    }

    @Test
    void aNodeWhosePodsWouldFindNoPlaceStays() {
        fleet.with(machine("a", LARGE)).with(running("web", "a", "1").nodeSelector("disk", "x"));

        assertThat(reason()).isInstanceOf(KeepReason.PodsUnmovable.class);
    }

    @Test
    void nodesThatAreNotInitializedTakeNoPods() {
        fleet.with(machine("a", LARGE), machine("b", LARGE).node(each -> each.registered()))
                .with(running("web", "a", "8"), running("two", "a", "100m"));

        assertThat(reason())
                .isInstanceOfSatisfying(
                        KeepReason.PodsUnmovable.class,
                        kept -> assertThat(kept.explain()).contains("node b, which is not init"));
    }

    // What keeps a node
    // ----------------------------------------------------------------------------

    @Test
    void aNodeOfAStaticPoolStays() {
        fleet.pool(nodePool("fixed").replicas(1)).with(machine("a", LARGE).pool("fixed"));

        assertThat(reason()).isEqualTo(new KeepReason.StaticPool());
    }

    @Test
    void aNodeOfAnUnknownTypeStays() {
        fleet.with(machine("a", type("gone", 8, 3).build())).with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.TypeUnknown("gone"));
    }

    @ParameterizedTest
    @CsvSource({"karpenter.sh/capacity-type", "topology.kubernetes.io/zone"})
    void aNodeWithoutALabelThatItsPriceDependsOnStays(String label) {
        fleet.with(machine("a", LARGE).without(label)).with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.LabelMissing(label));
    }

    @Test
    void aNodeOfAPoolThatNeverConsolidatesStays() {
        fleet.pool(each -> new PoolRules(each.pool(), each.budgets(), null, each.policy()))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.ConsolidationOff("default"));
    }

    @Test
    void anEmptyNodeIsLeftToEmptiness() {
        fleet.with(machine("a", LARGE));

        assertThat(reason()).isEqualTo(new KeepReason.Empty());
    }

    @Test
    void aNodeOfAPoolThatConsolidatesEmptyNodesOnlyStays() {
        fleet.pool(each -> each.withPolicy(PoolRules.Consolidation.WHEN_EMPTY))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.OnlyWhenEmpty("default"));
    }

    @Test
    void aNodeWherePodsCameOrWentAMomentAgoStays() {
        fleet.with(machine("a", LARGE).notConsolidatable()).with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.NotConsolidatable());
    }

    @Test
    void aNodeOfAFleetThatIsConsolidatedAsAWholeStays() {
        fleet.pool(each -> FleetBuilder.whole(each, Duration.ofHours(1)))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.ConsolidatedOtherwise("default"));
    }

    @Test
    void aNodeThatIsNotSettledTakesNoPods() {
        fleet.pool(each -> each.withConsolidateAfter(Duration.ofMinutes(5)))
                .with(machine("a", SMALL), machine("b", SMALL).notConsolidatable())
                .with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.NotCheaper(1));
    }

    @Test
    void withoutConsolidateAfterAnUnsettledNodeTakesPods() {
        fleet.with(machine("a", SMALL), machine("b", SMALL).notConsolidatable())
                .with(running("web", "a", "1"));

        assertThat(command().nominated()).containsExactly("b");
    }

    // Spot
    // -----------------------------------------------------------------------------------------

    private static InstanceType[] spotTypes(int cheaper) {
        return IntStream.rangeClosed(0, cheaper)
                .mapToObj(each -> type("type-" + (100 + each), 4, 1 - 0.01 * each).build())
                .toArray(InstanceType[]::new);
    }

    private void spot(int cheaper) {
        var types = spotTypes(cheaper);
        fleet.selling(types)
                .pool(
                        nodePool("default")
                                .requirement(Requirement.in(LabelKeys.CAPACITY_TYPE, "spot")))
                .with(spotMachine("a", types[0]))
                .with(running("web", "a", "3"));
    }

    @Test
    void aSpotNodeIsNotReplacedBySpotWhereThatIsOff() {
        spot(15);

        assertThat(reason()).isEqualTo(new KeepReason.SpotToSpotOff());
    }

    @Test
    void aSpotNodeIsReplacedWhenFifteenCheaperTypesRemain() {
        spot(15);
        fleet.spotToSpot();

        assertThat(planned().types()).hasSize(15);
    }

    @Test
    void aSpotNodeStaysWhenFourteenCheaperTypesRemain() {
        spot(14);
        fleet.spotToSpot();

        assertThat(reason()).isEqualTo(new KeepReason.TooFewSpotTypes(14));
    }

    @Test
    void aTypeThatCannotBeHadAsSpotIsNoneOfTheFifteen() {
        var types = new ArrayList<>(List.of(spotTypes(14)));
        types.add(type("demanded", 2).offering("test-zone-1", "on-demand", 0.01).build());
        fleet.spotToSpot()
                .selling(types.toArray(InstanceType[]::new))
                .with(spotMachine("a", types.getFirst()))
                .with(running("web", "a", "1"));

        assertThat(reason()).isEqualTo(new KeepReason.TooFewSpotTypes(14));
    }

    @Test
    void noMoreThanTheFifteenCheapestSpotTypesAreAskedFor() {
        spot(20);
        fleet.spotToSpot();

        assertThat(planned().types()).hasSize(15);
        assertThat(planned().cheapest().name()).isEqualTo("type-120");
    }

    @Test
    void moreTypesAreAskedForWhenMinValuesWantThem() {
        var types = spotTypes(20);
        fleet.spotToSpot()
                .selling(types)
                .pool(nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 17))
                .with(spotMachine("a", types[0]))
                .with(running("web", "a", "3"));

        assertThat(planned().types()).hasSize(17);
    }

    @Test
    void anOnDemandNodeIsReplacedBySpotWithoutTheOption() {
        var both =
                type("both", 4)
                        .offering("test-zone-1", "on-demand", 1)
                        .offering("test-zone-1", "spot", 0.4)
                        .build();
        fleet.selling(both).with(machine("a", both)).with(running("web", "a", "3"));

        assertThat(planned().requirements().on(LabelKeys.CAPACITY_TYPE).values())
                .containsExactly("spot");
    }

    @Test
    void whereOnlyOnDemandIsCheaperTheClaimKeepsItsChoice() {
        var dear = type("dear", 8).offering("test-zone-1", "on-demand", 3).build();
        var cheap = type("cheap", 4).offering("test-zone-1", "on-demand", 1).build();
        fleet.selling(dear, cheap).with(machine("a", dear)).with(running("web", "a", "3"));

        assertThat(planned().cheapest().name()).isEqualTo("cheap");
        assertThat(planned().cheapest().capacityType()).isEqualTo("on-demand");
    }

    @Test
    void aPoolThatKeepsAMixReplacesOnDemandByOnDemand() {
        fleet.pool(
                        each ->
                                new PoolRules(
                                        each.pool(),
                                        each.budgets(),
                                        each.consolidateAfter(),
                                        each.policy(),
                                        each.controls(),
                                        null,
                                        new CapacityMix(1, 50)))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(planned().requirements().on(LabelKeys.CAPACITY_TYPE).values())
                .containsExactly("on-demand");
    }

    @Test
    void aReplacementThatWouldBreakMinValuesIsNone() {
        fleet.pool(nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 2))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(reason()).isInstanceOf(KeepReason.MinValuesBroken.class);
    }

    // Turns
    // ----------------------------------------------------------------------------------------

    @Test
    void oneNodeGoesAtATimeTheOneThatSavesMostForWhatItDisturbs() {
        fleet.with(machine("a", SMALL), machine("b", LARGE))
                .with(running("web", "a", "1"), running("api", "b", "1"));

        assertThat(command().nodes()).containsExactly("b");
        assertThat(decision().kept()).containsEntry("a", new KeepReason.NotItsTurn());
    }

    @Test
    void poolsTakeTurns() {
        fleet.pool(nodePool("x"))
                .pool(nodePool("y"))
                .with(
                        machine("a", LARGE).pool("x"),
                        machine("b", LARGE).pool("x"),
                        machine("c", SMALL).pool("y"))
                .with(
                        running("one", "a", "1"),
                        running("two", "b", "1"),
                        running("three", "c", "1"));
        var candidates = SingleNode.candidacy(fleet.problem()).candidates();

        assertThat(SingleNode.inTurns(candidates, Set.of()))
                .extracting(Candidate::name)
                .containsExactly("a", "c", "b");
        assertThat(SingleNode.inTurns(candidates, Set.of("y")))
                .extracting(Candidate::name)
                .containsExactly("c", "a", "b");
    }

    @Test
    void aSpentBudgetKeepsANodeAndTheSearchSaysSo() {
        fleet.budget("0").with(machine("a", LARGE)).with(running("web", "a", "1"));

        assertThat(reason())
                .isEqualTo(new KeepReason.PoolBudgetSpent("default", Reason.UNDERUTILIZED));
        assertThat(decision().isWithheld()).isTrue();
    }

    private Decision decision(long effortMax) {
        var problem = fleet.problem();
        return SingleNode.decide(
                problem,
                SingleNode.candidacy(problem),
                Allowances.of(problem, Reason.UNDERUTILIZED),
                Set.of(),
                effortMax);
    }

    private void pairInTwoPools() {
        fleet.pool(nodePool("x"))
                .pool(nodePool("y"))
                .with(machine("a", SMALL).pool("x"), machine("b", SMALL).pool("y"))
                .with(running("one", "a", "2"), running("two", "b", "2"));
    }

    @Test
    void aSearchThatRunsOutOfEffortSaysWhichPoolsItDidNotComeTo() {
        pairInTwoPools();

        var decision = decision(4);

        assertThat(decision.search().isOutOfEffort()).isTrue();
        assertThat(decision.search().unseen()).containsExactly("y");
        assertThat(decision.kept()).containsEntry("b", new KeepReason.NotReached());
        assertThat(decision.kept()).containsEntry("a", new KeepReason.NotCheaper(1));
    }

    @Test
    void eachLookCostsAsManyStepsAsThereAreNodesAndPods() {
        pairInTwoPools();

        var decision = decision(5);

        assertThat(decision.search().isOutOfEffort()).isFalse();
        assertThat(decision.search().unseen()).isEmpty();
    }

    // The second look
    // ------------------------------------------------------------------------------

    private void replaceable() {
        fleet.with(machine("a", LARGE)).with(running("web", "a", "1"));
    }

    @Test
    void aCommandHoldsWhileNothingChanges() {
        replaceable();

        assertThat(Validation.of(fleet.problem(), command())).isEqualTo(new Holds(command(), 0));
    }

    @Test
    void aCommandBreaksWhenItsNodeIsNoCandidateAnyMore() {
        replaceable();
        var command = command();
        fleet.with(running("guard", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(Validation.of(fleet.problem(), command)).isEqualTo(new Broken(Cause.CHURN, 1));
    }

    @Test
    void aCommandBreaksWhenTheBudgetIsSpent() {
        replaceable();
        var command = command();
        fleet.budget("0");

        assertThat(Validation.of(fleet.problem(), command)).isEqualTo(new Broken(Cause.BUDGET, 1));
    }

    @Test
    void aCommandBreaksWhenItsPodsNeedNoNewNodeAnyMore() {
        replaceable();
        var command = command();
        fleet.with(machine("b", LARGE));

        assertThat(Validation.of(fleet.problem(), command))
                .isEqualTo(new Broken(Cause.SCHEDULING, 0));
    }

    @Test
    void aCommandBreaksWhenItsPodsNeedANewNodeNow() {
        fleet.with(machine("a", LARGE), machine("b", LARGE)).with(running("web", "a", "1"));
        var command = command();
        fleet.with(running("more", "b", "8"));

        assertThat(Validation.of(fleet.problem(), command))
                .isEqualTo(new Broken(Cause.SCHEDULING, 0));
    }

    @Test
    void aCommandBreaksWhenItsPodsWouldFindNoPlace() {
        fleet.with(machine("a", SMALL), machine("b", SMALL).node(each -> each.label("disk", "x")))
                .with(running("web", "a", "1").nodeSelector("disk", "x"));
        var command = command();
        fleet.with(running("more", "b", "1500m"));

        assertThat(Validation.of(fleet.problem(), command))
                .isEqualTo(new Broken(Cause.SCHEDULING, 0));
    }

    @Test
    void aCommandBreaksWhenItsTypesWouldNotDoAnyMore() {
        replaceable();
        var command = command();
        fleet.with(running("more", "a", "2"));

        assertThat(Validation.of(fleet.problem(), command))
                .isEqualTo(new Broken(Cause.SCHEDULING, 0));
    }

    @Test
    void decisionsOfOneMethodAreLookedAtOneByOne() {
        replaceable();

        assertThat(Validation.of(fleet.problem(), List.of(command(), command())))
                .containsExactly(new Holds(command(), 0), new Holds(command(), 0));
    }

    @Test
    void podsOfABudgetThatIsNotSpentMove() {
        fleet.with(machine("a", LARGE))
                .with(
                        running("web", "a", "1").label("app", "web"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(1));

        assertThat(decision().commands()).hasSize(1);
    }
}
