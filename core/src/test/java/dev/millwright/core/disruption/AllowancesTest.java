package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Allowances.Allowance;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.testing.kit.NodeBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// How many nodes of a pool may go.
final class AllowancesTest {

    private static final InstanceType TYPE = type("type", 4, 1).build();

    private final FleetBuilder fleet = fleet().selling(TYPE);

    private Allowances allowances(Reason reason) {
        return Allowances.of(fleet.problem(), reason);
    }

    private Allowance allowance(Reason reason) {
        return allowances(reason).byPool().get("default");
    }

    @Test
    void aShareIsTakenOfTheNodesThatWork() {
        fleet.budget("50%")
                .with(
                        machine("a", TYPE),
                        machine("b", TYPE),
                        machine("c", TYPE).node(NodeBuilder::registered),
                        machine("d", TYPE).instanceTerminating(),
                        machine("e", TYPE).node(NodeBuilder::unmanaged));

        assertThat(allowance(Reason.EMPTY)).isEqualTo(new Allowance(2, 0, 1));
    }

    @Test
    void aNodeThatRebootsCountsAsANodeAndAsDisrupted() {
        fleet.budget("100%").with(machine("a", TYPE).node(NodeBuilder::registered).rebooting());

        assertThat(allowance(Reason.EMPTY)).isEqualTo(new Allowance(1, 1, 1));
    }

    @Test
    void nodesThatGoTakeUpBudget() {
        fleet.budget("100%")
                .with(
                        machine("a", TYPE).queued(),
                        machine("b", TYPE).node(NodeBuilder::markedForDeletion),
                        machine("c", TYPE));

        assertThat(allowance(Reason.EMPTY)).isEqualTo(new Allowance(3, 2, 3));
    }

    @ParameterizedTest
    @CsvSource({"EMPTY, 1", "DRIFTED, 1", "UNDERUTILIZED, 1", "UNHEALTHY, 0"})
    void aNodeThatIsNotReadyTakesUpBudgetForAllButItsOwnRepair(Reason reason, int disrupting) {
        fleet.budget("100%").with(machine("a", TYPE).notReady());

        assertThat(allowance(reason)).isEqualTo(new Allowance(1, disrupting, 1));
    }

    @Test
    void whatIsLeftIsWhatNobodyHasTaken() {
        fleet.budget("2").with(machine("a", TYPE), machine("b", TYPE), machine("c", TYPE));
        var allowances = allowances(Reason.EMPTY);

        var fewer = allowances.less("default");
        var none = fewer.less("default");

        assertThat(allowances.left("default")).isEqualTo(2);
        assertThat(fewer.left("default")).isEqualTo(1);
        assertThat(fewer.isLeft("default")).isTrue();
        assertThat(none.left("default")).isZero();
        assertThat(none.isLeft("default")).isFalse();
    }

    @Test
    void aPoolThatNobodyKnowsLetsNothingGo() {
        var allowances = allowances(Reason.EMPTY);

        assertThat(allowances.left("gone")).isZero();
        assertThat(allowances.isLeft("gone")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"3, 1, 2", "3, 3, 0", "1, 3, 0"})
    void neverLessThanNothingIsLeft(int allowed, int disrupting, int left) {
        assertThat(new Allowance(5, disrupting, allowed).left()).isEqualTo(left);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, true", "0, 0, false", "1, 1, false"})
    void aPoolIsClosedWhenItsBudgetsKeepAllItsNodes(int nodes, int allowed, boolean isClosed) {
        assertThat(new Allowance(nodes, 0, allowed).isClosed()).isEqualTo(isClosed);
    }

    @Test
    void aSpentBudgetSaysForWhichReason() {
        fleet.budget("0").with(machine("a", TYPE));
        var allowances = allowances(Reason.DRIFTED);

        assertThat(allowances.reason()).isEqualTo(Reason.DRIFTED);
        assertThat(allowances.spent("default"))
                .isEqualTo(new KeepReason.PoolBudgetSpent("default", Reason.DRIFTED));
        assertThat(allowances.closed("default")).isNull();
    }

    @Test
    void aFrozenPoolAllowsNothingAndSaysWhy() {
        var freeze = new Freeze("NodePool default", "audit");
        fleet.pool(each -> each.withControls(PoolControls.NONE.within(freeze)))
                .with(machine("a", TYPE));

        assertThat(allowance(Reason.EMPTY)).isEqualTo(new Allowance(1, 0, 0));
        assertThat(allowances(Reason.EMPTY).spent("default"))
                .isEqualTo(new KeepReason.Frozen(freeze));
        assertThat(allowances(Reason.EMPTY).closed("default"))
                .isEqualTo(new KeepReason.Frozen(freeze));
    }

    @Test
    void aFreezeDoesNotKeepSickNodesFromRepair() {
        var freeze = new Freeze("NodePool default", "audit");
        fleet.pool(each -> each.withControls(PoolControls.NONE.within(freeze)))
                .with(machine("a", TYPE));

        assertThat(allowances(Reason.UNHEALTHY).left("default")).isPositive();
    }

    @Test
    void aBudgetThatCannotBeReadClosesThePoolEvenForRepair() {
        fleet.budget("few").with(machine("a", TYPE));

        assertThat(allowances(Reason.UNHEALTHY).spent("default"))
                .isInstanceOf(KeepReason.PoolUnreadable.class);
    }

    @Test
    void controlsThatCannotBeReadCloseThePool() {
        fleet.pool(each -> each.withControls(PoolControls.NONE.and(List.of("gibberish"))))
                .with(machine("a", TYPE));

        assertThat(allowances(Reason.EMPTY).spent("default"))
                .isEqualTo(new KeepReason.PoolUnreadable("default", "gibberish"));
    }
}
