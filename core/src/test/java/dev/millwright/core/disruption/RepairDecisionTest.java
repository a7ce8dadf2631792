package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Order;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.MethodCase.Memory;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.RepairPolicy.Action;
import dev.millwright.core.scheduling.StaticCapacity.Counts;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Nodes that stay sick longer than their cloud tolerates.
final class RepairDecisionTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final InstanceType TYPE = type("type", 4, 1).build();
    private static final RepairPolicy DISK = new RepairPolicy("Disk", "True", HOUR);
    private static final RepairPolicy REBOOT =
            new RepairPolicy("Kernel", "True", HOUR).by(Action.REBOOT);

    private final FleetBuilder fleet = fleet().selling(TYPE).options(options(DISK, REBOOT));

    private static DisruptionOptions options(RepairPolicy... policies) {
        return new DisruptionOptions(new RepairRules(List.of(policies)), false, false);
    }

    private static DisruptionOptions terminateFirst(RepairPolicy... policies) {
        return new DisruptionOptions(new RepairRules(List.of(policies)), false, true);
    }

    private static MachineBuilder sick(String name) {
        return machine(name, TYPE).sign("Disk", HOUR);
    }

    private Decision decision() {
        return fleet.decide(DisruptionMethod.REPAIR);
    }

    private Command command() {
        return decision().commands().getFirst();
    }

    @Test
    void aSickNodeIsReplacedForItsPods() {
        fleet.with(sick("a")).with(running("web", "a", "3"));

        assertThat(command().nodes()).containsExactly("a");
        assertThat(command().decision()).isEqualTo("replace");
        assertThat(command().replacements()).hasSize(1);
        assertThat(decision().isWithheld()).isFalse();
        assertThat(decision().eligible()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"3599, 0", "3600, 1"})
    void aSignIsBorneForAsLongAsThePolicyTolerates(long seconds, int commands) {
        fleet.with(machine("a", TYPE).sign("Disk", Duration.ofSeconds(seconds)));

        assertThat(decision().commands()).hasSize(commands);
    }

    @Test
    void aClaimWithoutNodeIsNoNodeOfItsPoolYet() {
        fleet.with(sick("a"), machine("b", TYPE).node(NodeBuilder::inFlight));

        assertThat(decision().commands()).hasSize(1);
    }

    @Test
    void aHealthyNodeIsNotSick() {
        fleet.with(machine("a", TYPE).queued());

        assertThat(fleet.reason(DisruptionMethod.REPAIR)).isEqualTo(new KeepReason.NotSick());
    }

    @Test
    void aSickNodeThatGoesAlreadyIsNotTakenTwice() {
        fleet.with(sick("a").queued());

        assertThat(fleet.reason(DisruptionMethod.REPAIR)).isEqualTo(new KeepReason.Queued());
    }

    @Test
    void anOwnerMayForbidRepair() {
        fleet.with(sick("a").annotation(LabelKeys.DO_NOT_REPAIR, "true"));

        assertThat(fleet.reason(DisruptionMethod.REPAIR))
                .isEqualTo(new KeepReason.RepairForbidden());
    }

    @Test
    void aGuardOnTheNodeDoesNotKeepItFromRepair() {
        fleet.with(sick("a").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));

        assertThat(decision().commands()).hasSize(1);
    }

    @Test
    void aFreezeDoesNotKeepANodeFromRepair() {
        fleet.pool(each -> each.withControls(PoolControls.NONE.within(new Freeze("NodePool", ""))))
                .with(sick("a"));

        assertThat(decision().commands()).hasSize(1);
    }

    @Test
    void aNodeThatRegisteredAndNeverCameUpIsRepaired() {
        fleet.with(sick("a").node(NodeBuilder::registered));

        assertThat(command().nodes()).containsExactly("a");
    }

    @Test
    void aNodeThatHasNotRegisteredIsLeftToItsLaunch() {
        fleet.with(sick("a").node(NodeBuilder::unregistered));

        assertThat(decision().commands()).isEmpty();
    }

    // Guarded pods
    // ---------------------------------------------------------------------------------

    private void guarded() {
        fleet.with(running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, "true"));
    }

    @Test
    void guardedPodsKeepASickNodeWhereNothingBoundsTheirStay() {
        guarded();
        fleet.with(sick("a"));

        assertThat(fleet.reason(DisruptionMethod.REPAIR))
                .isEqualTo(new KeepReason.DrainUnbounded());
    }

    @Test
    void guardedPodsAreReplacedTooWhenTheClaimBoundsTheirStay() {
        guarded();
        fleet.with(sick("a").grace(HOUR));

        assertThat(command().replacements()).hasSize(1);
        assertThat(command().terms().drainMax()).isNull();
    }

    @Test
    void guardedPodsLeaveWhenThePolicyBoundsTheirStay() {
        guarded();
        fleet.options(options(DISK.drainedWithin(Duration.ofMinutes(5)))).with(sick("a"));

        assertThat(command().terms().drainMax()).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @CsvSource({"PT1M, PT1M", "PT5M, PT5M", "PT9M, PT5M"})
    void theShorterOfPolicyAndClaimBoundsTheDrain(Duration grace, Duration drainMax) {
        fleet.options(options(DISK.drainedWithin(Duration.ofMinutes(5))))
                .with(sick("a").grace(grace));

        assertThat(command().terms().drainMax()).isEqualTo(drainMax);
    }

    @Test
    void podsThatFindNoPlaceKeepASickNode() {
        fleet.with(sick("a")).with(running("web", "a", "1").nodeSelector("disk", "gone"));

        assertThat(fleet.reason(DisruptionMethod.REPAIR))
                .isInstanceOf(KeepReason.PodsHomeless.class);
    }

    // Turns
    // ----------------------------------------------------------------------------------------

    private void healthy(int count) {
        fleet.with(
                IntStream.range(0, count)
                        .mapToObj(each -> machine("healthy-" + each, TYPE))
                        .toArray(MachineBuilder[]::new));
    }

    @Test
    void oneNodeIsRepairedAtATimeTheOneThatWaitedLongest() {
        healthy(8);
        fleet.with(sick("a"), machine("b", TYPE).sign("Disk", HOUR.multipliedBy(2)));

        assertThat(decision().commands()).hasSize(1);
        assertThat(command().nodes()).containsExactly("b");
        assertThat(decision().kept()).containsEntry("a", new KeepReason.NotItsTurn());
    }

    @Test
    void ofEquallyUrgentNodesTheOneThatDisturbsLeastGoes() {
        healthy(8);
        fleet.with(sick("a"), sick("b")).with(running("web", "a", "1"));

        assertThat(command().nodes()).containsExactly("b");
    }

    @Test
    void ofEqualNodesTheFirstByNameGoes() {
        healthy(8);
        fleet.with(sick("b"), sick("a"));

        assertThat(command().nodes()).containsExactly("a");
    }

    @Test
    void aPolicyOfHigherPriorityGoesFirst() {
        healthy(8);
        fleet.options(options(DISK, new RepairPolicy("Gpu", "True", HOUR).withPriority(5)))
                .with(sick("a"), machine("b", TYPE).sign("Gpu", HOUR));

        assertThat(command().nodes()).containsExactly("b");
    }

    @ParameterizedTest
    @CsvSource({"29, b", "31, a"})
    void halfAnHourOfWaitingOutweighsARank(long minutes, String first) {
        healthy(8);
        fleet.options(options(DISK, new RepairPolicy("Gpu", "True", HOUR).withPriority(5)))
                .with(
                        machine("a", TYPE).sign("Disk", HOUR.plusMinutes(minutes)),
                        machine("b", TYPE).sign("Gpu", HOUR));

        assertThat(command().nodes()).containsExactly(first);
    }

    // Budgets and the breaker
    // ----------------------------------------------------------------------

    @Test
    void aSpentBudgetKeepsASickNode() {
        fleet.budget("0").with(sick("a"));

        assertThat(fleet.reason(DisruptionMethod.REPAIR))
                .isEqualTo(new KeepReason.PoolBudgetSpent("default", Reason.UNHEALTHY));
        assertThat(decision().isWithheld()).isTrue();
    }

    @Test
    void aRepairTakesUpBudget() {
        fleet.budget("1").with(sick("a"));

        assertThat(decision().allowances().left("default")).isZero();
    }

    @Test
    void aNodeThatRunsNothingYetNeedsNoBudget() {
        fleet.budget("0").with(sick("a").node(NodeBuilder::registered));

        assertThat(decision().commands()).hasSize(1);
        assertThat(decision().allowances().left("default")).isZero();
    }

    @Test
    void aNodeThatRunsNothingYetTakesUpNoBudget() {
        fleet.budget("1").with(sick("a").node(NodeBuilder::registered));

        assertThat(decision().allowances().left("default")).isEqualTo(1);
    }

    @Test
    void aPoolWhereMoreThanAFifthIsSickIsNotRepaired() {
        healthy(7);
        fleet.with(sick("a"), sick("b"), sick("c"));

        assertThat(decision().commands()).isEmpty();
        assertThat(decision().kept())
                .containsEntry("a", new KeepReason.PoolUnwell("default", 3, 10, 2));
    }

    @Test
    void aPoolWhereAFifthIsSickIsRepaired() {
        healthy(8);
        fleet.with(sick("a"), sick("b"));

        assertThat(decision().commands()).hasSize(1);
    }

    @Test
    void theFifthIsRoundedUpSoThatTheOneNodeOfAPoolIsRepaired() {
        fleet.with(sick("a"));

        assertThat(decision().commands()).hasSize(1);
    }

    @Test
    void aNodeThatIsSickForAMomentCountsAsSick() {
        healthy(3);
        fleet.with(sick("a"), machine("b", TYPE).sign("Disk", Duration.ZERO));

        assertThat(decision().kept())
                .containsEntry("a", new KeepReason.PoolUnwell("default", 2, 5, 1));
    }

    @Test
    void sickNodesOfAnotherPoolFreezeNothing() {
        fleet.pool(nodePool("default"))
                .pool(nodePool("other"))
                .with(sick("a"), sick("b").pool("other"), machine("c", TYPE).pool("other"));

        assertThat(command().nodes()).containsExactly("a");
    }

    // Reboots
    // --------------------------------------------------------------------------------------

    @Test
    void aNodeThatARebootMayHealIsRebooted() {
        fleet.with(machine("a", TYPE).sign("Kernel", HOUR)).with(running("web", "a", "1"));

        assertThat(command().terms().order()).isEqualTo(Order.REBOOT);
        assertThat(command().decision()).isEqualTo("reboot");
        assertThat(command().replacements()).isEmpty();
        assertThat(command().terms().diagnosis().isEscalated()).isFalse();
    }

    @Test
    void aNodeThatTwoRebootsDidNotHealIsReplaced() {
        fleet.with(machine("a", TYPE).sign("Kernel", HOUR.multipliedBy(9)).rebooted(2, HOUR))
                .with(running("web", "a", "1"));

        assertThat(command().decision()).isEqualTo("replace");
        assertThat(command().terms().diagnosis().isEscalated()).isTrue();
        assertThat(command().terms().diagnosis().action()).isEqualTo(Action.REPLACE);
    }

    @Test
    void aNodeThatWasRebootedOnceIsRebootedAgain() {
        fleet.with(machine("a", TYPE).sign("Kernel", HOUR.multipliedBy(9)).rebooted(1, HOUR));

        assertThat(command().terms().order()).isEqualTo(Order.REBOOT);
    }

    @Test
    void afterARebootPatienceBeginsAnew() {
        fleet.with(
                machine("a", TYPE)
                        .sign("Kernel", HOUR.multipliedBy(9))
                        .rebooted(1, HOUR.minusSeconds(1)));

        assertThat(decision().commands()).isEmpty();
    }

    @Test
    void aSignIsNoOlderThanItsNode() {
        fleet.with(sick("a").createdAt(NOON.minusSeconds(3_599)));

        assertThat(decision().commands()).isEmpty();
    }

    // Static pools
    // ---------------------------------------------------------------------------------

    private void fixed(NodePoolBuilder pool, DisruptionOptions options) {
        fleet.options(options)
                .pool(pool)
                .with(sick("a").pool("fixed"))
                .memory(new Memory(Map.of(), Set.of(), Map.of("fixed", new Counts(2, 0, 0, 0))));
    }

    @Test
    void aSickNodeOfAStaticPoolIsReplacedByItsTemplate() {
        fixed(nodePool("fixed").replicas(2), options(DISK));

        assertThat(command().replacements()).containsExactly(new Replacement.Template("fixed"));
        assertThat(command().terms().order()).isEqualTo(Order.REPLACEMENT_FIRST);
    }

    @Test
    void aSickNodeOfAStaticPoolWithoutRoomStays() {
        fixed(nodePool("fixed").replicas(2).limit("nodes", "2"), options(DISK));

        assertThat(fleet.reason(DisruptionMethod.REPAIR))
                .isEqualTo(new KeepReason.PoolAtNodeLimit("fixed", 2));
        assertThat(decision().commands()).isEmpty();
    }

    @Test
    void withTheOptionItGoesBeforeItsReplacementComes() {
        fixed(nodePool("fixed").replicas(2).limit("nodes", "2"), terminateFirst(DISK));

        assertThat(command().terms().order()).isEqualTo(Order.TERMINATE_FIRST);
        assertThat(command().decision()).isEqualTo("terminate-first");
    }

    @Test
    void anOverscaledStaticPoolShrinksFirst() {
        fixed(nodePool("fixed").replicas(1), terminateFirst(DISK));

        assertThat(fleet.reason(DisruptionMethod.REPAIR))
                .isEqualTo(new KeepReason.PoolOverscaled("fixed", 2, 1));
    }
}
