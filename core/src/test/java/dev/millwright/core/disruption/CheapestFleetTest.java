package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.FleetBuilder.whole;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.core.disruption.MachineBuilder.spotMachine;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.MethodCase.Memory;
import dev.millwright.core.disruption.Validation.Broken;
import dev.millwright.core.disruption.Validation.Cause;
import dev.millwright.core.disruption.Validation.Holds;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// The fleet is looked at as a whole: some nodes give way to fewer or to more, where that is
/// cheaper and the move pays for itself.
final class CheapestFleetTest {

    private static final Duration HORIZON = Duration.ofHours(2);
    private static final InstanceType SMALL = type("small", 10, 1).build();
    private static final InstanceType LARGE = type("large", 32, 1.5).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    @BeforeEach
    void consolidateAsAWhole() {
        fleet.pool(each -> whole(each, HORIZON));
    }

    private Decision decision() {
        return fleet.decide(DisruptionMethod.WHOLE_FLEET);
    }

    private List<String> gone() {
        return decision().commands().stream()
                .flatMap(command -> command.nodes().stream())
                .sorted()
                .toList();
    }

    private List<PlannedClaim> bought() {
        return decision().commands().stream()
                .flatMap(command -> command.replacements().stream())
                .map(replacement -> ((Replacement.Planned) replacement).claim())
                .toList();
    }

    private KeepReason kept(String node) {
        return decision().kept().get(node);
    }

    private static MachineBuilder small(String name) {
        return machine(name, SMALL);
    }

    // Deleting
    // -------------------------------------------------------------------------------------

    @Test
    void nodesWhosePodsFitOnOthersGoInOneCommand() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"), small("c"), small("d"))
                .with(
                        running("1", "a", "2"),
                        running("2", "b", "3"),
                        running("3", "c", "3"),
                        running("4", "d", "4"));

        assertThat(decision().commands()).hasSize(1);
        assertThat(decision().commands().getFirst().decision()).isEqualTo("delete");
        assertThat(gone()).hasSize(2);
        assertThat(decision().commands().getFirst().nominated()).isNotEmpty();
        assertThat(decision().kept().values()).containsOnly(new KeepReason.NotItsTurn());
        assertThat(decision().eligible()).isEqualTo(4);
        assertThat(decision().isWithheld()).isFalse();
        assertThat(decision().search().weighed()).hasSize(2);
    }

    @Test
    void podsThatFitOnlyJustSoStay() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"), small("c"))
                .with(
                        running("1", "a", "4"),
                        running("2", "a", "1"),
                        running("3", "a", "1"),
                        running("4", "b", "6"),
                        running("5", "c", "6"));

        assertThat(gone()).isEmpty();
        assertThat(kept("a")).isEqualTo(new KeepReason.TooTight());
    }

    @Test
    void podsThatFitOnlyJustSoStayWhateverTheirNodesCost() {
        var cheap = type("cheap", 10, 0.1).build();
        fleet.selling(cheap)
                .with(machine("a", cheap), machine("b", cheap), machine("c", cheap))
                .with(
                        running("1", "a", "4"),
                        running("2", "a", "1"),
                        running("3", "a", "1"),
                        running("4", "b", "6"),
                        running("5", "c", "6"));

        assertThat(gone()).isEmpty();
        assertThat(kept("a")).isEqualTo(new KeepReason.TooTight());
    }

    @Test
    void aNodeThatMustNotGoKeepsItsReason() {
        fleet.with(small("a").nominated()).with(running("1", "a", "2"));

        assertThat(kept("a")).isEqualTo(new KeepReason.Nominated());
    }

    @Test
    void aNodeOfAPoolWithoutHorizonIsConsolidatedOtherwise() {
        fleet.pool(nodePool("other")).with(small("a").pool("other")).with(running("1", "a", "2"));

        assertThat(kept("a")).isEqualTo(new KeepReason.ConsolidatedOtherwise("other"));
    }

    @Test
    void noMoreNodesGoThanBudgetsAllow() {
        fleet.selling(SMALL)
                .pool(each -> whole(each.withBudgets(FleetBuilder.budgets("1")), HORIZON))
                .with(small("a"), small("b"), small("c"))
                .with(running("1", "a", "2"), running("2", "b", "2"), running("3", "c", "2"));

        assertThat(gone()).hasSize(1);
    }

    @Test
    void aClosedBudgetIsTheReason() {
        fleet.pool(each -> whole(each.withBudgets(FleetBuilder.budgets("0")), HORIZON))
                .with(small("a"), small("b"))
                .with(running("1", "a", "2"), running("2", "b", "2"));

        assertThat(gone()).isEmpty();
        assertThat(decision().isWithheld()).isTrue();
        assertThat(kept("a"))
                .isEqualTo(new KeepReason.PoolBudgetSpent("default", Reason.UNDERUTILIZED));
    }

    @Test
    void podsOfOneBudgetDoNotLeaveMoreThanItAllows() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"), small("c"))
                .with(
                        running("1", "a", "2").label("app", "web"),
                        running("2", "b", "2").label("app", "web"),
                        running("3", "c", "2").label("app", "web"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(1));

        assertThat(gone()).hasSize(1);
    }

    @Test
    void podsOfOneBudgetLeaveTogetherWhereItAllowsIt() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"), small("c"))
                .with(
                        running("1", "a", "2").label("app", "web"),
                        running("2", "b", "2").label("app", "web"),
                        running("3", "c", "2").label("app", "web"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(2));

        assertThat(gone()).hasSize(2);
    }

    @Test
    void aNodeThatAsksMoreOfABudgetThanItAllowsMayGoAlone() {
        fleet.selling(SMALL)
                .with(small("a"), small("b").notConsolidatable())
                .with(
                        running("1", "a", "1").label("app", "web"),
                        running("2", "a", "1").label("app", "web"),
                        running("3", "b", "7"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(1));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    void aNodeWithoutPodsThatMoveIsLeftToEmptiness() {
        fleet.with(small("a"));

        assertThat(kept("a")).isEqualTo(new KeepReason.Empty());
    }

    // Replacing
    // ------------------------------------------------------------------------------------

    private void threeThatFitIntoALargeOne() {
        fleet.with(small("a"), small("b"), small("c"))
                .with(running("1", "a", "6"), running("2", "b", "6"), running("3", "c", "6"));
    }

    @Test
    void threeNodesBecomeOne() {
        threeThatFitIntoALargeOne();

        assertThat(gone()).containsExactly("a", "b", "c");
        assertThat(bought()).hasSize(1);
        assertThat(bought().getFirst().types())
                .extracting(TypeOption::name)
                .containsExactly("large");
        assertThat(decision().commands().getFirst().savedPerHour()).isCloseTo(1.5, within(1e-9));
    }

    @Test
    void twoNodesBecomeThree() {
        var third = type("third", 9, 0.5).build();
        var dear = type("dear", 16, 3).build();
        fleet.selling(third, dear)
                .with(machine("a", dear), machine("b", dear))
                .with(
                        running("1", "a", "4"),
                        running("2", "a", "4"),
                        running("3", "a", "4"),
                        running("4", "b", "4"),
                        running("5", "b", "4"),
                        running("6", "b", "4"));

        assertThat(gone()).containsExactly("a", "b");
        assertThat(bought()).hasSize(3);
        assertThat(bought()).allMatch(claim -> claim.pods().size() == 2);
    }

    @Test
    void oneNodeBecomesTwo() {
        var half = type("half", 4, 0.5).build();
        var dear = type("dear", 16, 3).build();
        fleet.selling(half, dear)
                .with(machine("a", dear))
                .with(running("1", "a", "3"), running("2", "a", "3"));

        assertThat(gone()).containsExactly("a");
        assertThat(bought()).hasSize(2);
        assertThat(decision().commands().getFirst().savedPerHour()).isCloseTo(2, within(1e-9));
    }

    @Test
    void partsThatDoNotDependOnEachOtherAreCommandsOfTheirOwn() {
        var dear = type("dear", 10, 2).build();
        fleet.selling(SMALL, dear)
                .pool(nodePool("x").label("team", "x"), each -> whole(each, HORIZON))
                .pool(nodePool("y").label("team", "y"), each -> whole(each, HORIZON))
                .with(
                        machine("a", dear).pool("x").node(each -> each.label("team", "x")),
                        machine("b", dear).pool("y").node(each -> each.label("team", "y")))
                .with(
                        running("1", "a", "6").nodeSelector("team", "x"),
                        running("2", "b", "6").nodeSelector("team", "y"));

        assertThat(decision().commands()).hasSize(2);
        assertThat(decision().commands()).allMatch(command -> command.candidates().size() == 1);
    }

    @Test
    void aReplacementThatIsNotCheaperIsNone() {
        fleet.selling(SMALL).with(small("a")).with(running("1", "a", "6"));

        assertThat(kept("a")).isEqualTo(new KeepReason.NotCheaper(1));
    }

    @Test
    void aMoveThatDoesNotPayWithinTheHorizonIsNotMade() {
        fleet.selling(SMALL, type("almost", 10, 0.99).build())
                .with(small("a"))
                .with(running("1", "a", "6"));

        assertThat(kept("a"))
                .isInstanceOfSatisfying(
                        KeepReason.DoesNotPay.class,
                        why -> {
                            assertThat(why.savedPerHour()).isCloseTo(0.01, within(1e-9));
                            assertThat(why.cost()).isCloseTo(0.05 * 1 + 0.05 * 0.99, within(1e-9));
                            assertThat(why.horizon()).isEqualTo(HORIZON);
                        });
    }

    @Test
    void theSameMovePaysWithinALongerHorizon() {
        fleet.selling(SMALL, type("almost", 10, 0.99).build())
                .pool(each -> whole(each, Duration.ofHours(11)))
                .with(small("a"))
                .with(running("1", "a", "6"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    void theShortestHorizonOfAllPoolsCounts() {
        var dear = type("dear", 10, 1).build();
        fleet.selling(dear, type("almost", 32, 1.8).build())
                .pool(nodePool("x"), each -> whole(each, Duration.ofMinutes(30)))
                .pool(nodePool("y"), each -> whole(each, Duration.ofHours(9)))
                .with(machine("a", dear).pool("x"), machine("b", dear).pool("y"))
                .with(running("1", "a", "9"), running("2", "b", "9"));

        assertThat(gone()).isEmpty();
    }

    @Test
    void theShortestHorizonCountsWhicheverNodeHasIt() {
        var dear = type("dear", 10, 1).build();
        fleet.selling(dear, type("almost", 32, 1.8).build())
                .pool(nodePool("x"), each -> whole(each, Duration.ofHours(9)))
                .pool(nodePool("y"), each -> whole(each, Duration.ofMinutes(30)))
                .with(machine("a", dear).pool("x"), machine("b", dear).pool("y"))
                .with(running("1", "a", "9"), running("2", "b", "9"));

        assertThat(gone()).isEmpty();
    }

    @Test
    void aLongHorizonOfAllPoolsLetsTheSameMovePay() {
        var dear = type("dear", 10, 1).build();
        fleet.selling(dear, type("almost", 32, 1.8).build())
                .pool(nodePool("x"), each -> whole(each, Duration.ofHours(9)))
                .pool(nodePool("y"), each -> whole(each, Duration.ofHours(9)))
                .with(machine("a", dear).pool("x"), machine("b", dear).pool("y"))
                .with(running("1", "a", "9"), running("2", "b", "9"));

        assertThat(gone()).containsExactly("a", "b");
    }

    @Test
    void aDeletionThatDoesNotPayIsNotMade() {
        fleet.selling(SMALL)
                .pool(each -> whole(each, Duration.ofMinutes(1)))
                .with(small("a"), small("b"))
                .with(running("1", "a", "4"), running("2", "b", "4"));

        assertThat(gone()).isEmpty();
        assertThat(kept("a")).isInstanceOf(KeepReason.DoesNotPay.class);
    }

    @Test
    void aNodeWhosePodsNeedSeveralDearNodesStays() {
        fleet.with(small("a"))
                .with(running("1", "a", "6"), running("2", "a", "3").nodeSelector("disk", "x"));

        assertThat(kept("a")).isInstanceOf(KeepReason.PodsUnmovable.class);
    }

    @Test
    void anOfferingThatCouldBeDearerIsNotBought() {
        var uneven =
                type("uneven", 10)
                        .offering("test-zone-1", "on-demand", 0.4)
                        .offering("test-zone-2", "on-demand", 1.2)
                        .build();
        fleet.selling(SMALL, uneven).with(small("a")).with(running("1", "a", "6"));

        assertThat(gone()).isEmpty();
    }

    @Test
    void aReplacementThatWouldBreakMinValuesIsNone() {
        fleet.selling(SMALL, type("half", 10, 0.5).build())
                .pool(
                        nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 2),
                        each -> whole(each, HORIZON))
                .with(small("a"))
                .with(running("1", "a", "6"));

        assertThat(kept("a")).isInstanceOf(KeepReason.MinValuesBroken.class);
    }

    @Test
    void ofTypesThatGoNoneIsBoughtAgain() {
        var medium = type("medium", 20, 1.4).build();
        fleet.selling(SMALL, medium)
                .with(small("a"), small("b"))
                .with(running("1", "a", "6"), running("2", "b", "6"));

        assertThat(bought()).hasSize(1);
        assertThat(bought().getFirst().types())
                .extracting(TypeOption::name)
                .containsExactly("medium");
    }

    @Test
    void minValuesHoldWithoutTypesThatGo() {
        var wide = type("wide", 16, 1).build();
        fleet.selling(wide, type("medium", 20, 1.4).build(), type("cheap", 16, 0.9).build())
                .pool(
                        nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 2),
                        each -> whole(each, HORIZON))
                .with(
                        machine("a", wide).node(each -> each.cpu("8")),
                        machine("b", wide).node(each -> each.cpu("8")))
                .with(running("1", "a", "6"), running("2", "b", "6"));

        assertThat(gone()).isEmpty();
    }

    // Spot
    // -----------------------------------------------------------------------------------------

    private void spot(int cheaper) {
        var types =
                IntStream.rangeClosed(0, cheaper)
                        .mapToObj(
                                each ->
                                        type("type-" + (100 + each), 10)
                                                .offering("test-zone-1", "spot", 1 - 0.01 * each)
                                                .build())
                        .toArray(InstanceType[]::new);
        fleet.selling(types)
                .pool(each -> whole(each, Duration.ofDays(9)))
                .with(spotMachine("a", types[0]))
                .with(running("1", "a", "6"));
    }

    @Test
    void spotStaysSpotWithoutTheGate() {
        spot(20);

        assertThat(kept("a")).isEqualTo(new KeepReason.SpotToSpotOff());
    }

    @Test
    void spotIsReplacedBySpotWhenFifteenTypesAreCheaper() {
        spot(15);
        fleet.spotToSpot();

        assertThat(bought().getFirst().types()).hasSize(15);
    }

    @Test
    void noMoreThanFifteenSpotTypesAreAskedFor() {
        spot(20);
        fleet.spotToSpot();

        assertThat(bought().getFirst().types()).hasSize(15);
    }

    @Test
    void spotStaysWhereFewerTypesAreCheaper() {
        spot(14);
        fleet.spotToSpot();

        assertThat(kept("a")).isEqualTo(new KeepReason.TooFewSpotTypes(14));
    }

    @Test
    void aNewNodeThatMayBeSpotIsSpotAlone() {
        var both =
                type("both", 10)
                        .offering("test-zone-1", "on-demand", 0.9)
                        .offering("test-zone-1", "spot", 0.3)
                        .build();
        fleet.selling(SMALL, both).with(small("a")).with(running("1", "a", "6"));

        assertThat(bought().getFirst().requirements().on(LabelKeys.CAPACITY_TYPE).values())
                .containsExactly("spot");
    }

    @Test
    void aNewNodeThatCanOnlyBeOnDemandIsOnDemand() {
        var half = type("half", 10).offering("test-zone-1", "on-demand", 0.5).build();
        var dear = type("dear", 10).offering("test-zone-1", "on-demand", 1).build();
        fleet.selling(dear, half).with(machine("a", dear)).with(running("1", "a", "6"));

        assertThat(bought().getFirst().cheapest().capacityType()).isEqualTo("on-demand");
    }

    @Test
    void anOnDemandNodeAmongSpotOnesMakesTheMoveNoSpotToSpot() {
        fleet.with(spotMachine("a", SMALL), spotMachine("b", SMALL), small("c"))
                .with(running("1", "a", "6"), running("2", "b", "6"), running("3", "c", "6"));

        assertThat(gone()).containsExactly("a", "b", "c");
    }

    // What was done before
    // -------------------------------------------------------------------------

    private void halfTheirPrice() {
        fleet.selling(SMALL, type("half", 10, 0.5).build())
                .with(small("a"))
                .with(running("1", "a", "6"));
    }

    @Test
    void whatAConsolidationBoughtIsNotReplaced() {
        halfTheirPrice();
        fleet.past(new PastMoves(new TreeSet<>(Set.of("a")), Set.of()));

        assertThat(kept("a")).isEqualTo(new KeepReason.MovedRecently());
    }

    @Test
    void whatAConsolidationBoughtMayStillBeDeleted() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"))
                .with(running("1", "a", "2"), running("2", "b", "7"))
                .past(new PastMoves(new TreeSet<>(Set.of("a")), Set.of()));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    void whatCouldNotBeHadIsNotAskedForAgain() {
        halfTheirPrice();
        fleet.past(new PastMoves(new TreeSet<>(), Set.of(new PastMoves.Target("default", "half"))));

        assertThat(kept("a")).isEqualTo(new KeepReason.TriedInVain());
    }

    @Test
    void whatCouldNotBeHadInOnePoolMayBeHadInAnother() {
        halfTheirPrice();
        fleet.past(new PastMoves(new TreeSet<>(), Set.of(new PastMoves.Target("other", "half"))));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    void aNodeThatIsHeldStaysForItsReason() {
        halfTheirPrice();
        fleet.memory(new Memory(Map.of("a", new KeepReason.LeadsBack(null)), Set.of(), Map.of()));

        assertThat(kept("a")).isInstanceOf(KeepReason.LeadsBack.class);
        assertThat(decision().eligible()).isZero();
    }

    // Balanced pools
    // -------------------------------------------------------------------------------

    @Test
    void aMoveThatDisturbsTooMuchOfABalancedPoolIsWeighedAndRefused() {
        fleet.pool(
                        each ->
                                whole(
                                        each.withPolicy(PoolRules.Consolidation.BALANCED),
                                        Duration.ofDays(9)))
                .selling(SMALL, type("almost", 10, 0.9).build())
                .with(small("a"))
                .with(running("1", "a", "6"));

        assertThat(gone()).isEmpty();
        assertThat(kept("a")).isEqualTo(new KeepReason.NotWorthIt());
        assertThat(decision().search().weighed()).hasSize(1);
        assertThat(decision().search().weighed().getFirst().isApproved()).isFalse();
    }

    // Effort
    // ---------------------------------------------------------------------------------------

    private Decision decision(Set<String> unseen, long effortMax) {
        var problem = fleet.problem();
        return WholeFleet.decide(
                problem,
                WholeFleet.candidacy(problem),
                Allowances.of(problem, Reason.UNDERUTILIZED),
                unseen,
                effortMax);
    }

    private void twoThatAreFull() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"))
                .with(running("1", "a", "9"), running("2", "b", "9"));
    }

    @Test
    void aSearchThatEndsTooSoonSaysWhatItHasNotSeen() {
        twoThatAreFull();

        var decision = decision(Set.of(), 1);

        assertThat(decision.search().isOutOfEffort()).isTrue();
        assertThat(decision.search().unseen()).containsExactly("a", "b");
        assertThat(decision.isWithheld()).isTrue();
        assertThat(decision.commands()).isEmpty();
        assertThat(decision.kept()).containsEntry("a", new KeepReason.NotReached());
    }

    @Test
    void whatWasNotSeenBeforeGoesFirst() {
        twoThatAreFull();

        var decision = decision(Set.of("b"), 30);

        assertThat(decision.search().unseen()).isEmpty();
        assertThat(decision.isWithheld()).isFalse();
        assertThat(decision.kept()).containsEntry("b", new KeepReason.NotCheaper(1));
    }

    @Test
    void aSearchWithEffortSeesEverything() {
        twoThatAreFull();

        var decision = decision(Set.of(), 1_000_000);

        assertThat(decision.search().isOutOfEffort()).isFalse();
        assertThat(decision.search().unseen()).isEmpty();
        assertThat(decision.kept())
                .containsEntry("a", new KeepReason.NotCheaper(1))
                .containsEntry("b", new KeepReason.NotCheaper(1));
    }

    // The second look
    // ------------------------------------------------------------------------------

    private List<Validation> secondLook(List<Command> commands) {
        return Validation.of(fleet.problem(), commands);
    }

    @Test
    void aCommandHoldsWhileNothingChanges() {
        threeThatFitIntoALargeOne();
        var command = decision().commands().getFirst();

        assertThat(secondLook(List.of(command)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Holds.class,
                        holds -> {
                            assertThat(holds.command().nodes())
                                    .containsExactlyElementsOf(command.nodes());
                            assertThat(holds.dropped()).isZero();
                        });
        assertThat(Validation.of(fleet.problem(), command)).isInstanceOf(Holds.class);
    }

    @Test
    void aDeletionHoldsWhileNothingChanges() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"), small("c"))
                .with(running("1", "a", "2"), running("2", "b", "2"), running("3", "c", "2"));
        var command = decision().commands().getFirst();

        assertThat(secondLook(List.of(command))).containsExactly(new Holds(command, 0));
    }

    @Test
    void aCommandBreaksWhenANodeIsNoCandidateAnyMore() {
        threeThatFitIntoALargeOne();
        var commands = decision().commands();
        fleet.with(running("guard", "a", "0").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(secondLook(commands)).containsExactly(new Broken(Cause.CHURN, 3));
    }

    @Test
    void aCommandBreaksWhenTheBudgetAllowsLess() {
        threeThatFitIntoALargeOne();
        var commands = decision().commands();
        fleet.pool(each -> whole(each.withBudgets(FleetBuilder.budgets("2")), HORIZON));

        assertThat(secondLook(commands)).containsExactly(new Broken(Cause.BUDGET, 3));
    }

    @Test
    void aCommandBreaksWhenItsRoomIsTaken() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"))
                .with(running("1", "a", "2"), running("2", "b", "3"));
        var commands = decision().commands();
        fleet.with(running("3", "a", "6"), running("4", "b", "6"));

        assertThat(secondLook(commands)).containsExactly(new Broken(Cause.SCHEDULING, 0));
    }

    @Test
    void aReplacementBreaksWhenItsNodeIsOneThatAConsolidationBought() {
        halfTheirPrice();
        var commands = decision().commands();
        fleet.past(new PastMoves(new TreeSet<>(Set.of("a")), Set.of()));

        assertThat(commands).hasSize(1);
        assertThat(secondLook(commands)).containsExactly(new Broken(Cause.SCHEDULING, 0));
    }

    @Test
    void oneCommandBreaksAndTheOtherHolds() {
        var dear = type("dear", 10, 2).build();
        fleet.selling(SMALL, dear)
                .pool(nodePool("x").label("team", "x"), each -> whole(each, HORIZON))
                .pool(nodePool("y").label("team", "y"), each -> whole(each, HORIZON))
                .with(
                        machine("a", dear).pool("x").node(each -> each.label("team", "x")),
                        machine("b", dear).pool("y").node(each -> each.label("team", "y")))
                .with(
                        running("1", "a", "6").nodeSelector("team", "x"),
                        running("2", "b", "6").nodeSelector("team", "y"));
        var commands = decision().commands();
        fleet.with(
                running("guard", commands.getFirst().nodes().getFirst(), "0")
                        .annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(secondLook(commands))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(new Broken(Cause.CHURN, 1)),
                        second -> assertThat(second).isInstanceOf(Holds.class));
    }

    @Test
    void requirementsOfAPoolBindItsReplacement() {
        halfTheirPrice();
        fleet.pool(
                nodePool("default").requirement(Requirement.in(LabelKeys.INSTANCE_TYPE, "small")),
                each -> whole(each, HORIZON));

        assertThat(gone()).isEmpty();
    }

    // What is not the fleet's doing
    // ----------------------------------------------------------------

    @Test
    void aPodThatNeedsANewNodeAnywayKeepsNobody() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"))
                .with(running("1", "a", "2"), running("2", "b", "7"), pod("waits", "9"));

        assertThat(gone()).containsExactly("a");
        assertThat(decision().commands().getFirst().nominated()).containsExactly("b");
    }

    @Test
    void aPodThatWouldFindRoomIfTheNodesStayedCountsAgainstAllThatGo() {
        fleet.selling(SMALL)
                .with(small("a"), small("b"))
                .with(running("1", "a", "6"), running("2", "b", "3"), pod("waits", "4"));

        assertThat(gone()).isEmpty();
        assertThat(kept("a")).isEqualTo(new KeepReason.NotCheaper(1));
    }

    @Test
    void aNodeOfUnknownPriceGoesWhereItsPodsFitElsewhere() {
        fleet.selling(SMALL)
                .with(new MachineBuilder("a").bought(SMALL, "reserved"), small("b").nominated())
                .with(running("1", "a", "2"), running("2", "b", "2"));

        assertThat(gone()).containsExactly("a");
    }

    @Test
    void aNewNodeThatCouldCostJustAsMuchIsNotCheaper() {
        var uneven =
                type("uneven", 10)
                        .offering("test-zone-1", "on-demand", 0.4)
                        .offering("test-zone-2", "on-demand", 1)
                        .build();
        fleet.selling(SMALL, uneven).with(small("a")).with(running("1", "a", "6"));

        assertThat(kept("a")).isEqualTo(new KeepReason.NotCheaper(1));
    }

    @Test
    void severalNewNodesCostAllOfTheirPrices() {
        var half = type("half", 4, 0.5).build();
        var dear = type("dear", 16, 3).build();
        fleet.selling(half, dear)
                .pool(each -> whole(each, Duration.ofMinutes(1)))
                .with(machine("a", dear))
                .with(apart("1"), apart("2"));

        assertThat(kept("a"))
                .isInstanceOfSatisfying(
                        KeepReason.DoesNotPay.class,
                        why -> assertThat(why.savedPerHour()).isCloseTo(2, within(1e-9)));
    }

    private static PodBuilder apart(String name) {
        return running(name, "a", "3")
                .label("app", "web")
                .podAntiAffinity(LabelKeys.HOSTNAME, Map.of("app", "web"));
    }
}
