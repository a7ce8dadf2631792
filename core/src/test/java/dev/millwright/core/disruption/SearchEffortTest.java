package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.FleetBuilder.whole;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// What a search costs, in steps, and what a simulation of it says.
final class SearchEffortTest {

    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final InstanceType LARGE = type("large", 16, 5).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    private FleetBuilder pair() {
        return fleet.with(machine("a", SMALL), machine("b", SMALL))
                .with(running("1", "a", "3"), running("2", "a", "1"), running("3", "b", "4"));
    }

    private List<Candidate> candidates() {
        return SingleNode.candidacy(fleet.problem()).candidates();
    }

    @Test
    void aLookTakesAStepForEachNodeAndPod() {
        var consolidation = new Consolidation(pair().problem());

        consolidation.simulated(candidates());
        assertThat(consolidation.effort()).isEqualTo(5);

        consolidation.scattered(candidates());
        assertThat(consolidation.effort()).isEqualTo(10);

        consolidation.spend(7);
        assertThat(consolidation.effort()).isEqualTo(17);
    }

    @Test
    void aLookForACheaperPackingTakesSixHundredMoreForEachPodThatMoves() {
        var consolidation = new Consolidation(pair().problem());

        consolidation.simulated(candidates().subList(0, 1), Packing.CHEAPEST);

        assertThat(consolidation.effort()).isEqualTo(5 + 2 * 600);
    }

    @Test
    void anExchangeTakesThirtyStepsForEachTypeThatANewNodeMayBe() {
        fleet.pool(each -> whole(each, Duration.ofHours(2)))
                .with(machine("a", LARGE))
                .with(running("1", "a", "1"));
        var problem = fleet.problem();
        var candidacy = WholeFleet.candidacy(problem);
        var exchange = new Exchange(problem, candidacy);

        exchange.of(candidacy.candidates(), Packing.FIRST_FIT);

        // The node and its pod, the same with nothing gone, and one cheaper type.
        assertThat(exchange.effort()).isEqualTo(2 + 2 + 30);
    }

    @ParameterizedTest
    @CsvSource({"1, 250000", "100, 250000", "101, 252500", "2400, 6000000", "9999, 6000000"})
    void aLargerFleetIsSearchedForLonger(int nodes, long effort) {
        assertThat(WholeFleet.effort(nodes)).isEqualTo(effort);
    }

    @Test
    void aNodeThatIsNotWorthALookTakesNoStep() {
        fleet.pool(nodePool("x"), each -> each.withPolicy(PoolRules.Consolidation.BALANCED))
                .pool(nodePool("y"))
                .with(
                        machine("a", SMALL).pool("x"),
                        machine("b", LARGE).pool("x").nominated(),
                        machine("c", LARGE).pool("y"))
                .with(
                        running("1", "a", "500m"),
                        running("2", "a", "500m"),
                        running("3", "a", "500m"),
                        running("4", "a", "500m"),
                        running("5", "b", "16"),
                        running("6", "c", "1"));
        var problem = fleet.problem();

        var decision =
                SingleNode.decide(
                        problem,
                        SingleNode.candidacy(problem),
                        Allowances.of(problem, Reason.UNDERUTILIZED),
                        Set.of(),
                        1);

        assertThat(decision.commands().getFirst().nodes()).containsExactly("c");
        assertThat(decision.kept()).containsEntry("a", new KeepReason.NotWorthIt());
    }

    @Test
    void severalNodesThatWouldBecomeOneOfTheirOwnTypeAreNotCheaper() {
        fleet.selling(SMALL, type("medium", 8, 1.4).build())
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("1", "a", "1900m"), running("2", "b", "1900m"));

        assertThat(
                        new Consolidation(fleet.problem())
                                .consider(DisruptionMethod.MULTI_NODE, candidates()))
                .isEqualTo(new Consolidation.Option.None(new KeepReason.NotCheaper(2)));
    }

    @ParameterizedTest
    @CsvSource({"OFF, OFF", "STRICT, FALLBACK", "FALLBACK, FALLBACK"})
    void aReservationThatIsGoneIsNotWaitedFor(Reservations asked, Reservations used) {
        fleet.policy(each -> each.withReservations(asked).withPacking(Packing.CHEAPEST));

        assertThat(fleet.problem().scheduling().policy().reservations()).isEqualTo(used);
        assertThat(fleet.problem().scheduling().policy().packing()).isEqualTo(Packing.FIRST_FIT);
    }

    // Simulations
    // ----------------------------------------------------------------------------------

    private Simulation.Outcome without(String node) {
        return new Simulation(fleet.scheduling()).without(List.of(node));
    }

    @Test
    void aNodeThatTakesOnlyPodsOfABufferIsNotNominated() {
        fleet.with(machine("a", SMALL), machine("b", SMALL))
                .with(
                        running("1", "b", "1"),
                        pod("spare", "2").annotation(AnnotationKeys.BUFFER_POD, "true"));

        assertThat(without("a").nominated()).isEmpty();
        assertThat(new Simulation(fleet.scheduling()).without(List.of()).plan().existing())
                .isNotEmpty();
    }

    @Test
    void aNodeThatTakesAPodIsNominated() {
        fleet.with(machine("a", SMALL), machine("b", SMALL)).with(running("1", "a", "1"));

        assertThat(without("a").nominated()).containsExactly("b");
    }

    @Test
    void aPodThatWaitedBeforeMayGoOnWaiting() {
        fleet.with(machine("a", SMALL)).with(pod("huge", "99"));

        assertThat(without("a").plan().waiting()).hasSize(1);
        assertThat(without("a").isEveryoneHoused()).isTrue();
    }

    @Test
    void aPodOfANodeThatGoesAnywayMayGoToANodeThatIsNotInitialized() {
        fleet.with(
                        machine("a", SMALL).node(each -> each.markedForDeletion()),
                        machine("b", SMALL).node(each -> each.registered()),
                        machine("c", SMALL))
                .with(running("1", "a", "3"), running("2", "c", "4"));

        assertThat(new Simulation(fleet.scheduling()).without(List.of()).isEveryoneHoused())
                .isTrue();
        assertThat(without("c").homeless())
                .extracting(each -> each.pod().name())
                .doesNotContain("1");
    }

    @Test
    void aPodThatWouldGoToANodeThatIsNotInitializedIsHomeless() {
        fleet.with(machine("a", SMALL), machine("b", SMALL).node(each -> each.registered()))
                .with(running("1", "a", "3"));

        assertThat(without("a").homeless())
                .singleElement()
                .satisfies(each -> assertThat(each.why()).contains("node b"));
    }
}
