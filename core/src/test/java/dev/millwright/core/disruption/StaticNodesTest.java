package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Order;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.MethodCase.Memory;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.scheduling.StaticCapacity.Counts;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Drifted nodes of pools with a fixed number of nodes.
final class StaticNodesTest {

    private static final InstanceType TYPE = type("type", 4, 1).build();
    private static final DisruptionOptions TERMINATE_FIRST =
            new DisruptionOptions(RepairRules.NONE, true, false);

    private final FleetBuilder fleet = fleet().selling(TYPE);

    private static NodePoolBuilder fixed(long replicas) {
        return nodePool("fixed").replicas(replicas);
    }

    private static MachineBuilder drifted(String name) {
        return machine(name, TYPE).pool("fixed").drifted();
    }

    private FleetBuilder counts(long active, long pending, long deleting, long reserved) {
        return fleet.memory(
                new Memory(
                        Map.of(),
                        Set.of(),
                        Map.of("fixed", new Counts(active, pending, deleting, reserved))));
    }

    private Decision decision() {
        return fleet.decide(DisruptionMethod.STATIC_DRIFT);
    }

    @Test
    void eachDriftedNodeIsReplacedByACommandOfItsOwn() {
        fleet.pool(fixed(2)).with(drifted("a"), drifted("b"));
        counts(2, 0, 0, 0);

        var decision = decision();

        assertThat(decision.commands()).hasSize(2);
        assertThat(decision.commands().getFirst().nodes()).containsExactly("a");
        assertThat(decision.commands().getFirst().replacements())
                .containsExactly(new Replacement.Template("fixed"));
        assertThat(decision.eligible()).isEqualTo(2);
        assertThat(decision.isWithheld()).isFalse();
    }

    @Test
    void aNodeThatHasNotDriftedStays() {
        fleet.pool(fixed(1)).with(machine("a", TYPE).pool("fixed"));

        assertThat(fleet.reason(DisruptionMethod.STATIC_DRIFT))
                .isEqualTo(new KeepReason.NotDrifted());
    }

    @Test
    void nodesOfPoolsThatPodsSizeAreLeftToTheirOwnMethod() {
        fleet.with(machine("a", TYPE).drifted());

        assertThat(fleet.reason(DisruptionMethod.STATIC_DRIFT))
                .isEqualTo(new KeepReason.DynamicPool());
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 3", "3, 0, 3"})
    void aPoolWithTooManyNodesShrinksFirst(long active, long pending, long staying) {
        fleet.pool(fixed(2)).with(drifted("a"));
        counts(active, pending, 9, 9);

        assertThat(fleet.reason(DisruptionMethod.STATIC_DRIFT))
                .isEqualTo(new KeepReason.PoolOverscaled("fixed", staying, 2));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1, 1", "1, 1, 1, 0", "0, 1, 0, 2", "2, 0, 1, 0", "2, 0, 0, 1"})
    void aNodeStaysWhereTheLimitLeavesNoRoomForItsReplacement(
            long active, long pending, long deleting, long reserved) {
        fleet.pool(fixed(2).limit("nodes", "3")).with(drifted("a"));
        counts(active, pending, deleting, reserved);

        assertThat(fleet.reason(DisruptionMethod.STATIC_DRIFT))
                .isEqualTo(new KeepReason.PoolAtNodeLimit("fixed", 3));
    }

    @Test
    void asManyNodesAreReplacedAtOnceAsTheLimitHasRoomFor() {
        fleet.pool(fixed(2).limit("nodes", "4")).with(drifted("a"), drifted("b"), drifted("c"));
        counts(2, 0, 0, 0);

        var decision = decision();

        assertThat(decision.commands()).hasSize(2);
        assertThat(decision.kept()).containsEntry("c", new KeepReason.PoolAtNodeLimit("fixed", 4));
    }

    @Test
    void asManyNodesAreReplacedAtOnceAsTheBudgetAllows() {
        fleet.pool(fixed(2), each -> each.withBudgets(FleetBuilder.budgets("1")))
                .with(drifted("a"), drifted("b"));
        counts(2, 0, 0, 0);

        var decision = decision();

        assertThat(decision.commands()).hasSize(1);
        assertThat(decision.kept())
                .containsEntry("b", new KeepReason.PoolBudgetSpent("fixed", Reason.DRIFTED));
        assertThat(decision.isWithheld()).isTrue();
    }

    // Where the limit leaves no room
    // ---------------------------------------------------------------

    private Decision atLimit(UnaryOperator<NodePoolBuilder> change) {
        fleet.pool(change.apply(fixed(2).limit("nodes", "2"))).with(drifted("a"));
        counts(2, 0, 0, 0);
        return fleet.options(TERMINATE_FIRST).decide(DisruptionMethod.STATIC_DRIFT);
    }

    @Test
    void withTheOptionANodeWithoutRoomForItsReplacementGoesFirst() {
        var command = atLimit(UnaryOperator.identity()).commands().getFirst();

        assertThat(command.terms().order()).isEqualTo(Order.TERMINATE_FIRST);
        assertThat(command.replacements()).isEmpty();
    }

    @Test
    void withoutTheOptionItStays() {
        fleet.pool(fixed(2).limit("nodes", "2")).with(drifted("a"));
        counts(2, 0, 0, 0);

        assertThat(decision().commands()).isEmpty();
    }

    @Test
    void aPoolThatWouldNotFillThePlaceKeepsItsNode() {
        assertThat(atLimit(NodePoolBuilder::notReady).commands()).isEmpty();
    }

    @Test
    void aPoolThatIsDeletedKeepsItsNode() {
        assertThat(atLimit(NodePoolBuilder::deleting).commands()).isEmpty();
    }

    @Test
    void anOverscaledPoolShrinksAlsoWithTheOption() {
        fleet.pool(fixed(1).limit("nodes", "2")).with(drifted("a"));
        counts(2, 0, 0, 0);

        assertThat(fleet.options(TERMINATE_FIRST).decide(DisruptionMethod.STATIC_DRIFT).commands())
                .isEmpty();
    }

    @Test
    void goingFirstTakesUpBudget() {
        fleet.pool(
                        fixed(2).limit("nodes", "2"),
                        each -> each.withBudgets(FleetBuilder.budgets("1")))
                .with(drifted("a"), drifted("b"));
        counts(2, 0, 0, 0);

        var decision = fleet.options(TERMINATE_FIRST).decide(DisruptionMethod.STATIC_DRIFT);

        assertThat(decision.commands()).hasSize(1);
        assertThat(decision.kept())
                .containsEntry("b", new KeepReason.PoolBudgetSpent("fixed", Reason.DRIFTED));
    }

    @Test
    void aNodeThatMayGoFirstStaysWhereTheBudgetIsSpent() {
        fleet.options(TERMINATE_FIRST)
                .pool(
                        fixed(1).limit("nodes", "1"),
                        rules -> rules.withBudgets(FleetBuilder.budgets("0")))
                .with(drifted("a"));
        counts(1, 0, 0, 0);

        assertThat(decision().commands()).isEmpty();
        assertThat(decision().isWithheld()).isTrue();
        assertThat(fleet.reason(DisruptionMethod.STATIC_DRIFT))
                .isEqualTo(new KeepReason.PoolBudgetSpent("fixed", Reason.DRIFTED));
    }
}
