package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.core.disruption.MachineBuilder.spotMachine;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.Validation.Broken;
import dev.millwright.core.disruption.Validation.Cause;
import dev.millwright.core.disruption.Validation.Holds;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Several nodes go at once, for none or for one that is cheaper than all of them.
final class SeveralNodesTest {

    private static final InstanceType SMALL = type("small", 2, 1).build();
    private static final InstanceType LARGE = type("large", 8, 1.5).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    private Decision decision() {
        return fleet.decide(DisruptionMethod.MULTI_NODE);
    }

    private List<TypeOption> types() {
        var planned =
                (Replacement.Planned) decision().commands().getFirst().replacements().getFirst();
        return planned.claim().types();
    }

    private FleetBuilder three() {
        return fleet.with(machine("a", SMALL), machine("b", SMALL), machine("c", SMALL))
                .with(
                        running("one", "a", "2"),
                        running("two", "b", "2"),
                        running("three", "c", "2"));
    }

    @Test
    void threeNodesGiveWayToOneThatIsCheaper() {
        three();

        assertThat(decision().commands().getFirst().nodes()).containsExactly("a", "b", "c");
        assertThat(types()).extracting(TypeOption::name).containsExactly("large");
        assertThat(decision().eligible()).isEqualTo(3);
        assertThat(decision().isWithheld()).isFalse();
        assertThat(decision().search().weighed()).hasSize(1);
    }

    @Test
    void twoNodesStayWhereOneThatTakesTheirPodsIsDearer() {
        fleet.selling(SMALL, type("dear", 8, 2.5).build())
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("one", "a", "2"), running("two", "b", "2"));

        assertThat(decision().commands()).isEmpty();
        assertThat(decision().search().weighed()).isEmpty();
    }

    @Test
    void oneNodeAloneIsLeftToTheOtherMethod() {
        fleet.with(machine("a", LARGE)).with(running("one", "a", "1"));

        assertThat(decision().commands()).isEmpty();
    }

    @Test
    void noMoreNodesGoThanTheBudgetAllows() {
        three();
        fleet.budget("2");

        assertThat(decision().commands().getFirst().nodes()).containsExactly("a", "b");
        assertThat(decision().isWithheld()).isTrue();
        assertThat(decision().kept())
                .containsEntry(
                        "c", new KeepReason.PoolBudgetSpent("default", Reason.UNDERUTILIZED));
    }

    @Test
    void theLongestPrefixThatCanGoIsFound() {
        fleet.selling(SMALL)
                .with(
                        machine("a", SMALL),
                        machine("b", SMALL),
                        machine("c", SMALL),
                        machine("d", SMALL),
                        machine("e", SMALL))
                .with(
                        running("one", "a", "100m"),
                        running("two", "b", "100m"),
                        running("three", "c", "100m"),
                        running("four", "d", "100m")
                                .annotation(DisruptionCost.DELETION_COST, "9999999"),
                        running("five", "e", "1900m")
                                .annotation(DisruptionCost.DELETION_COST, "99999999"));

        assertThat(decision().commands().getFirst().nodes()).containsExactly("a", "b", "c");
    }

    @Test
    void aNewNodeOfATypeThatGoesIsNoGain() {
        fleet.selling(SMALL, type("medium", 4, 1.4).build())
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("one", "a", "900m"), running("two", "b", "900m"));

        assertThat(decision().commands()).isEmpty();
    }

    @Test
    void minValuesHoldWithoutTypesThatAreNoGain() {
        fleet.selling(SMALL, type("medium", 4, 1.4).build(), type("cheap", 2, 0.9).build())
                .pool(nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 2))
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("one", "a", "900m"), running("two", "b", "900m"));

        assertThat(decision().commands()).isEmpty();
    }

    @Test
    void aTypeThatIsCheaperThanAllThatGoIsAGain() {
        fleet.selling(SMALL, type("medium", 4, 1.4).build(), type("cheap", 2, 0.9).build())
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("one", "a", "900m"), running("two", "b", "900m"));

        assertThat(types()).extracting(TypeOption::name).containsExactly("cheap");
    }

    @Test
    void severalSpotNodesGiveWayToOneWhereSpotToSpotIsOn() {
        fleet.spotToSpot()
                .pool(
                        nodePool("default")
                                .requirement(Requirement.in(LabelKeys.CAPACITY_TYPE, "spot")))
                .with(spotMachine("a", SMALL), spotMachine("b", SMALL), spotMachine("c", SMALL))
                .with(
                        running("one", "a", "2"),
                        running("two", "b", "2"),
                        running("three", "c", "2"));

        assertThat(types()).extracting(TypeOption::capacityType).containsExactly("spot");
    }

    @Test
    void aMixOfSpotAndOnDemandIsNotSpotToSpot() {
        fleet.with(spotMachine("a", SMALL), machine("b", SMALL), machine("c", SMALL))
                .with(
                        running("one", "a", "2"),
                        running("two", "b", "2"),
                        running("three", "c", "2"));

        assertThat(decision().commands()).hasSize(1);
    }

    @Test
    void aSearchWithoutEffortFindsNothingAndSaysSo() {
        var problem = three().problem();

        var decision =
                MultiNode.decide(
                        problem,
                        MultiNode.candidacy(problem),
                        Allowances.of(problem, Reason.UNDERUTILIZED),
                        0);

        assertThat(decision.commands()).isEmpty();
        assertThat(decision.search().isOutOfEffort()).isTrue();
    }

    @Test
    void aSearchEndsWhenItsEffortIsSpent() {
        var problem = three().problem();

        var decision =
                MultiNode.decide(
                        problem,
                        MultiNode.candidacy(problem),
                        Allowances.of(problem, Reason.UNDERUTILIZED),
                        6);

        assertThat(decision.search().isOutOfEffort()).isTrue();
    }

    // The second look
    // ------------------------------------------------------------------------------

    @Test
    void aCommandHoldsAsAWhole() {
        three();
        var command = decision().commands().getFirst();

        assertThat(Validation.of(fleet.problem(), command)).isEqualTo(new Holds(command, 0));
    }

    @Test
    void aCommandBreaksWhenOneOfItsNodesIsNoCandidateAnyMore() {
        three();
        var command = decision().commands().getFirst();
        fleet.with(running("guard", "a", "0").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(Validation.of(fleet.problem(), command)).isEqualTo(new Broken(Cause.CHURN, 3));
    }

    @Test
    void aCommandBreaksWhenTheBudgetAllowsLessThanAllOfIt() {
        three();
        var command = decision().commands().getFirst();
        fleet.budget("2");

        assertThat(Validation.of(fleet.problem(), command)).isEqualTo(new Broken(Cause.BUDGET, 3));
    }
}
