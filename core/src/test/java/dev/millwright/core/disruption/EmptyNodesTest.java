package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Validation.Cause;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.junit.jupiter.api.Test;

/// Nodes without a pod that would have to move.
final class EmptyNodesTest {

    private static final InstanceType CHEAP = type("cheap", 4, 1).build();
    private static final InstanceType DEAR = type("dear", 4, 2).build();

    private final FleetBuilder fleet = fleet().selling(CHEAP, DEAR);

    @Test
    void allEmptyNodesGoInOneCommandTheDearestFirst() {
        fleet.with(machine("a", CHEAP), machine("b", DEAR), machine("c", CHEAP));

        var decision = fleet.decide(DisruptionMethod.EMPTINESS);

        assertThat(decision.commands()).hasSize(1);
        assertThat(decision.commands().getFirst().nodes()).containsExactly("b", "a", "c");
        assertThat(decision.eligible()).isEqualTo(3);
        assertThat(decision.isWithheld()).isFalse();
    }

    @Test
    void withoutEmptyNodesThereIsNoCommand() {
        fleet.with(machine("a", CHEAP)).with(running("web", "a", "1"));

        var decision = fleet.decide(DisruptionMethod.EMPTINESS);

        assertThat(decision.commands()).isEmpty();
        assertThat(decision.eligible()).isZero();
        assertThat(decision.kept()).containsEntry("a", new KeepReason.NotEmpty());
    }

    @Test
    void aDaemonLeavesItsNodeEmpty() {
        fleet.with(machine("a", CHEAP))
                .with(pod("log", "1").ownedBy("DaemonSet", "log").onNode("a"));

        assertThat(fleet.decide(DisruptionMethod.EMPTINESS).commands()).hasSize(1);
    }

    @Test
    void aPodThatCostsNothingToMoveLeavesItsNodeEmpty() {
        fleet.with(machine("a", CHEAP))
                .with(
                        running("web", "a", "1")
                                .annotation(DisruptionCost.DELETION_COST, "-134217728"));

        assertThat(fleet.decide(DisruptionMethod.EMPTINESS).commands()).hasSize(1);
    }

    @Test
    void budgetsBoundHowManyGo() {
        fleet.budget("1").with(machine("a", CHEAP), machine("b", DEAR));

        var decision = fleet.decide(DisruptionMethod.EMPTINESS);

        assertThat(decision.commands().getFirst().nodes()).containsExactly("b");
        assertThat(decision.kept())
                .containsEntry("a", new KeepReason.PoolBudgetSpent("default", Reason.EMPTY));
        assertThat(decision.isWithheld()).isTrue();
    }

    @Test
    void aClosedBudgetLetsNoneGo() {
        fleet.budget("0").with(machine("a", CHEAP));

        assertThat(fleet.decide(DisruptionMethod.EMPTINESS).commands()).isEmpty();
    }

    @Test
    void nodesOfStaticPoolsStay() {
        fleet.pool(nodePool("fixed").replicas(1)).with(machine("a", CHEAP).pool("fixed"));

        assertThat(fleet.reason(DisruptionMethod.EMPTINESS)).isEqualTo(new KeepReason.StaticPool());
    }

    @Test
    void nodesOfAPoolThatNeverConsolidatesStay() {
        fleet.pool(
                        nodePool("default"),
                        each -> new PoolRules(each.pool(), each.budgets(), null, each.policy()))
                .with(machine("a", CHEAP));

        assertThat(fleet.reason(DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.ConsolidationOff("default"));
    }

    @Test
    void aNodeOnWhoseRoomABufferCountsStays() {
        fleet.with(machine("a", CHEAP).virtualPods(1));

        assertThat(fleet.reason(DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.HeldForBuffer(1));
    }

    @Test
    void aNodeWherePodsCameOrWentAMomentAgoStays() {
        fleet.with(machine("a", CHEAP).notConsolidatable());

        assertThat(fleet.reason(DisruptionMethod.EMPTINESS))
                .isEqualTo(new KeepReason.NotConsolidatable());
    }

    // The second look
    // ------------------------------------------------------------------------------

    private Command command() {
        return fleet.decide(DisruptionMethod.EMPTINESS).commands().getFirst();
    }

    @Test
    void aCommandHoldsWhileItsNodesAreEmpty() {
        var command =
                fleet.with(machine("a", CHEAP), machine("b", DEAR))
                        .decide(DisruptionMethod.EMPTINESS);

        assertThat(Validation.of(fleet.problem(), command.commands().getFirst()))
                .isEqualTo(new Validation.Holds(command.commands().getFirst(), 0));
    }

    @Test
    void aNodeThatIsNotEmptyAnyMoreIsLeftOutSilently() {
        var command = fleet.with(machine("a", CHEAP), machine("b", DEAR)).problem();
        var decided = Emptiness.decide(Emptiness.candidacy(command), allowances(command));
        var later = fleet.with(running("web", "b", "1")).problem();

        var validation = Validation.of(later, decided.commands().getFirst());

        assertThat(validation)
                .isInstanceOfSatisfying(
                        Validation.Holds.class,
                        holds -> {
                            assertThat(holds.command().nodes()).containsExactly("a");
                            assertThat(holds.dropped()).isZero();
                        });
    }

    private static Allowances allowances(DisruptionProblem problem) {
        return Allowances.of(problem, Reason.EMPTY);
    }

    @Test
    void aCommandWithoutAnyEmptyNodeIsBroken() {
        fleet.with(machine("a", CHEAP));
        var command = command();
        fleet.with(running("web", "a", "1"));

        assertThat(Validation.of(fleet.problem(), command))
                .isEqualTo(new Validation.Broken(Cause.CHURN, 1));
    }

    @Test
    void aNodeThatCameAnewUnderTheSameNameIsAnotherOne() {
        fleet.with(machine("a", CHEAP));
        var command = command();
        var other = fleet().selling(CHEAP).with(machine("a", CHEAP).uid("another"));

        assertThat(Validation.of(other.problem(), command))
                .isEqualTo(new Validation.Broken(Cause.CHURN, 1));
    }

    @Test
    void whatBudgetsOfNowDoNotAllowIsDropped() {
        fleet.with(machine("a", CHEAP), machine("b", DEAR));
        var command = command();
        fleet.budget("1");

        assertThat(Validation.of(fleet.problem(), command))
                .isInstanceOfSatisfying(
                        Validation.Holds.class,
                        holds -> {
                            assertThat(holds.command().nodes()).containsExactly("b");
                            assertThat(holds.dropped()).isEqualTo(1);
                        });
    }

    @Test
    void aCommandIsBrokenWhenBudgetsAllowNoneOfItsNodes() {
        fleet.with(machine("a", CHEAP), machine("b", DEAR));
        var command = command();
        fleet.budget("0");

        assertThat(Validation.of(fleet.problem(), command))
                .isEqualTo(new Validation.Broken(Cause.BUDGET, 2));
    }
}
