package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// In which sets and in which order nodes are looked at.
final class NodeGroupsTest {

    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final InstanceType LARGE = type("large", 8, 3).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    private List<Candidate> candidates() {
        return SingleNode.candidacy(fleet.problem()).candidates();
    }

    private Waste waste() {
        return new Waste(fleet.problem(), candidates());
    }

    private Picking picking() {
        var problem = fleet.problem();
        return new Picking(problem, candidates(), Allowances.of(problem, Reason.UNDERUTILIZED));
    }

    private static List<String> names(List<Candidate> group) {
        return group.stream().map(Candidate::name).toList();
    }

    private List<List<String>> groups(String... unseen) {
        return Groups.of(candidates(), picking(), waste(), Set.of(unseen)).stream()
                .map(NodeGroupsTest::names)
                .toList();
    }

    private void three() {
        fleet.with(machine("a", SMALL), machine("b", LARGE), machine("c", SMALL))
                .with(
                        running("1", "a", "2"),
                        running("2", "b", "1"),
                        running("3", "c", "1").memory("2Gi"));
    }

    // Waste
    // ----------------------------------------------------------------------------------------

    @Test
    void wasteIsThePriceBeyondWhatThePodsWouldCostAtTheCheapest() {
        three();

        assertThat(waste().perHour(candidates().get(0))).isCloseTo(0.5, within(1e-9));
        assertThat(waste().perHour(candidates().get(1))).isCloseTo(2.75, within(1e-9));
        assertThat(waste().perHour(candidates().get(2))).isCloseTo(0.75, within(1e-9));
        assertThat(waste().perHour(candidates())).isCloseTo(4, within(1e-9));
    }

    @Test
    void thePodsMemoryCountsWhereItIsTheScarcer() {
        fleet.with(machine("a", SMALL)).with(running("1", "a", "1").memory("4Gi"));

        assertThat(waste().perHour(candidates())).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void onlyOfferingsOfTheNodesOwnCapacityTypeAreCompared() {
        var spot = type("spot", 4).offering("test-zone-1", "spot", 0.1).build();
        fleet.selling(SMALL, spot).with(machine("a", SMALL)).with(running("1", "a", "2"));

        assertThat(waste().perHour(candidates())).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void podsThatDoNotComeBackNeedNothing() {
        fleet.with(machine("a", SMALL))
                .with(running("1", "a", "2"), running("2", "a", "1").terminating());

        assertThat(waste().perHour(candidates())).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void withoutAnythingToBuyTheWholePriceIsWaste() {
        var gone = type("small", 4).offering("test-zone-1", "spot", 1).build();
        fleet.selling(gone).with(machine("a", gone)).with(running("1", "a", "2"));

        assertThat(waste().perHour(candidates())).isZero();
    }

    @Test
    void theMostWastefulNodeComesFirst() {
        three();

        assertThat(candidates().stream().sorted(waste().mostFirst()).map(Candidate::name))
                .containsExactly("b", "c", "a");
    }

    @Test
    void nodesAreOrderedByHowManyCoresTheirPodsWantForTheirMemory() {
        fleet.with(machine("a", SMALL), machine("b", SMALL), machine("c", SMALL))
                .with(
                        running("1", "a", "1").memory("2Gi"),
                        running("2", "b", "1").memory("1Gi"),
                        running("3", "c", "2").memory("1Gi"));

        assertThat(candidates().stream().sorted(waste().coresFirst()).map(Candidate::name))
                .containsExactly("c", "b", "a");
    }

    // Groups
    // ---------------------------------------------------------------------------------------

    @Test
    void groupsAreTheFirstFewThenPairsThenEachAlone() {
        three();

        assertThat(groups())
                .containsExactly(
                        List.of("b", "c"),
                        List.of("b", "c", "a"),
                        List.of("b", "a"),
                        List.of("c", "a"),
                        List.of("b"),
                        List.of("c"),
                        List.of("a"));
    }

    @Test
    void whatTheLastSearchDidNotSeeComesFirst() {
        three();

        assertThat(groups("a").getFirst()).containsExactly("a");
        assertThat(groups("a")).doesNotHaveDuplicates().hasSize(7);
    }

    @Test
    void eachPoolHasGroupsOfItsOwn() {
        fleet.pool(nodePool("x"))
                .pool(nodePool("y"))
                .with(
                        machine("a", LARGE).pool("x"),
                        machine("b", SMALL).pool("x"),
                        machine("c", LARGE).pool("y"),
                        machine("d", SMALL).pool("y"),
                        machine("e", LARGE).pool("x"))
                .with(
                        running("1", "a", "1"),
                        running("2", "b", "1"),
                        running("3", "c", "1"),
                        running("4", "d", "1"),
                        running("5", "e", "1"));

        assertThat(groups())
                .contains(
                        List.of("a", "e"),
                        List.of("a", "e", "b"),
                        List.of("c", "d"),
                        List.of("a", "c", "e"),
                        List.of("b", "d"));
    }

    @Test
    void theLargestGroupHasThirtyTwoNodes() {
        fleet.with(
                IntStream.range(0, 40)
                        .mapToObj(each -> machine("n" + (100 + each), SMALL))
                        .toArray(MachineBuilder[]::new));
        fleet.with(
                IntStream.range(0, 40)
                        .mapToObj(each -> running("p" + each, "n" + (100 + each), "1"))
                        .toArray(PodBuilder[]::new));

        assertThat(groups().stream().mapToInt(List::size).distinct())
                .containsExactly(2, 3, 4, 6, 8, 12, 16, 24, 32, 1);
    }

    @Test
    void aFewGroupsAreTheFirstByWasteAndBySavings() {
        fleet.with(machine("a", LARGE), machine("b", SMALL), machine("c", SMALL))
                .with(
                        running("1", "a", "7"),
                        running("2", "b", "1"),
                        running("3", "c", "100m"),
                        running("4", "c", "100m"));

        assertThat(Groups.few(candidates(), picking(), waste()))
                .extracting(NodeGroupsTest::names)
                .containsExactly(List.of("a", "c"), List.of("a", "c", "b"), List.of("a", "b"));
    }

    // Picking
    // --------------------------------------------------------------------------------------

    @Test
    void noMoreNodesArePickedThanAskedFor() {
        three();

        assertThat(picking().first(candidates(), 2)).hasSize(2);
        assertThat(picking().first(candidates(), 9)).hasSize(3);
        assertThat(picking().first(candidates(), 0)).isEmpty();
    }

    @Test
    void noMoreNodesOfAPoolArePickedThanItsBudgetLeaves() {
        three();
        fleet.budget("2");

        assertThat(names(picking().first(candidates(), 9))).containsExactly("a", "b");
    }

    @Test
    void nodesThatWouldWaitForEachOthersPodsAreNotPickedTogether() {
        fleet.with(machine("a", SMALL), machine("b", SMALL), machine("c", SMALL))
                .with(
                        running("1", "a", "1").label("app", "web"),
                        running("2", "b", "1").label("app", "web"),
                        running("3", "c", "1"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(1));

        assertThat(names(picking().first(candidates(), 9))).containsExactly("a", "c");
    }

    // What moves cost
    // ------------------------------------------------------------------------------

    @Test
    void aPodThatMovesCostsWhatAnAverageOneCostsWhileItGetsGoing() {
        three();
        var cost = MoveCost.of(candidates());

        assertThat(cost.ofPods(candidates())).isCloseTo(5 * 0.05, within(1e-9));
        assertThat(cost.ofPods(candidates().subList(0, 1))).isCloseTo(5.0 / 3 * 0.05, within(1e-9));
    }

    @Test
    void withoutPodsNothingCostsAnything() {
        assertThat(MoveCost.of(List.of()).ofPods(List.of())).isZero();
    }

    @Test
    void aLaunchCostsTheTimeBothNodesArePaidFor() {
        assertThat(MoveCost.ofLaunch(2)).isCloseTo(0.1, within(1e-9));
        assertThat(MoveCost.hours(Duration.ofMinutes(90))).isEqualTo(1.5);
    }

    // Steering
    // -------------------------------------------------------------------------------------

    private static Steering.Fill fill(String node, double fill) {
        return new Steering.Fill(node, fill, false);
    }

    @Test
    void podsAreSteeredAwayFromTheEmptiestQuarter() {
        assertThat(
                        Steering.away(
                                List.of(
                                        fill("a", 0.9),
                                        fill("b", 0.1),
                                        fill("c", 0.5),
                                        fill("d", 0.7),
                                        fill("e", 0.2))))
                .containsExactly("b", "e");
    }

    @Test
    void aNodeThatIsSteeredAwayFromStaysSoUnlessAnotherIsMuchEmptier() {
        assertThat(Steering.away(List.of(fill("a", 0.25), new Steering.Fill("b", 0.3, true))))
                .containsExactly("b");
        assertThat(Steering.away(List.of(fill("a", 0.15), new Steering.Fill("b", 0.3, true))))
                .containsExactly("a");
    }

    @Test
    void theLastNodeIsLeftForPods() {
        assertThat(Steering.away(List.of(fill("a", 0.1)))).isEmpty();
        assertThat(Steering.away(List.of())).isEmpty();
    }

    @Test
    void ofEquallyFullNodesTheFirstByName() {
        assertThat(Steering.away(List.of(fill("b", 0.1), fill("a", 0.1)))).containsExactly("a");
    }
}
