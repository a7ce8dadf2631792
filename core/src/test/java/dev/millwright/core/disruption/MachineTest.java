package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Machine.Standing;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.MaintenanceWindows;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.core.policy.RepairPolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

/// What a decision reads off a machine and its pods.
final class MachineTest {

    private static final InstanceType TYPE =
            type("type", 4)
                    .offering("test-zone-2", "on-demand", 9)
                    .offering("test-zone-1", "spot", 0.4)
                    .offering("test-zone-1", "on-demand", 1)
                    .build();

    private final FleetBuilder fleet = fleet().selling(TYPE);

    private Candidate candidate() {
        var problem = fleet.problem();
        return problem.candidate(problem.machines().getFirst(), problem.pools().get("default"));
    }

    @Test
    void aMachineIsKnownByItsLabels() {
        var machine = fleet.with(machine("a", TYPE)).problem().machines().getFirst();

        assertThat(machine.nodePool()).isEqualTo("default");
        assertThat(machine.instanceType()).isEqualTo("type");
        assertThat(machine.zone()).isEqualTo("test-zone-1");
        assertThat(machine.capacityType()).isEqualTo("on-demand");
    }

    @Test
    void aNodeCostsWhatItWasBoughtAs() {
        fleet.with(machine("a", TYPE));

        assertThat(candidate().pricePerHour()).isEqualTo(1);
    }

    @Test
    void aNodeOfAnUnknownTypeHasNoPrice() {
        fleet.with(machine("a", type("gone", 4, 5).build()));

        assertThat(candidate().pricePerHour()).isZero();
        assertThat(candidate().type()).isNull();
    }

    @Test
    void aNodeThatCouldNotHaveBeenBoughtSoHasNoPrice() {
        fleet.with(new MachineBuilder("a").bought(TYPE, "reserved"));

        assertThat(candidate().pricePerHour()).isZero();
    }

    @Test
    void aNodeCostsItsDrainAndThePodsThatComeBack() {
        fleet.with(machine("a", TYPE))
                .with(
                        running("web", "a", "1"),
                        running("api", "a", "1")
                                .annotation(DisruptionCost.DELETION_COST, "134217728"),
                        running("gone", "a", "1").terminating(),
                        pod("log", "1").ownedBy("DaemonSet", "log").onNode("a"),
                        running("idle", "a", "1")
                                .annotation(DisruptionCost.DELETION_COST, "-2147483647"));

        assertThat(candidate().cost()).isCloseTo(4, within(1e-6));
        assertThat(candidate().savingsRatio()).isCloseTo(0.25, within(1e-6));
        assertThat(candidate().isEmpty()).isFalse();
        assertThat(candidate().reschedulablePods())
                .extracting(pod -> pod.name().name())
                .containsExactly("web", "api", "idle");
    }

    @Test
    void aConsolidatableStandingDiffersInNothingElse() {
        var standing =
                new Standing("uid", true, false, true, false, 3, null, false, Duration.ofHours(1));

        assertThat(standing.consolidatable())
                .isEqualTo(
                        new Standing(
                                "uid",
                                true,
                                false,
                                true,
                                false,
                                3,
                                null,
                                true,
                                Duration.ofHours(1)));
        assertThat(standing.health()).isEqualTo(NodeHealth.UNKNOWN);
        assertThat(standing.isReturning()).isFalse();
    }

    // What time alone changes
    // ----------------------------------------------------------------------

    private boolean isTimed() {
        return fleet.problem()
                .isTimed(
                        new RepairRules(
                                List.of(new RepairPolicy("Disk", "True", Duration.ofHours(1)))));
    }

    @Test
    void nothingChangesWithTheHourByItself() {
        fleet.with(machine("a", TYPE)).with(running("web", "a", "1"));

        assertThat(isTimed()).isFalse();
    }

    @Test
    void aNominationFades() {
        fleet.with(machine("a", TYPE).nominated());

        assertThat(isTimed()).isTrue();
    }

    @Test
    void aSignIsBorneForAWhile() {
        fleet.with(machine("a", TYPE).sign("Disk", Duration.ZERO));

        assertThat(isTimed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"true, false", "1h, true"})
    void aGuardOfSomeLengthEnds(String guard, boolean isTimed) {
        fleet.with(machine("a", TYPE))
                .with(running("web", "a", "1").annotation(LabelKeys.DO_NOT_DISRUPT, guard));

        assertThat(isTimed()).isEqualTo(isTimed);
    }

    @Test
    void budgetsHaveHours() {
        fleet.pool(
                each ->
                        each.withBudgets(
                                new NodePoolBudgets(
                                        List.of(
                                                Budget.of(
                                                        "1",
                                                        null,
                                                        "0 9 * * *",
                                                        Duration.ofHours(1))))));

        assertThat(isTimed()).isTrue();
    }

    @Test
    void maintenanceHasHours() {
        var windows = MaintenanceWindows.parse("daily 01:00-02:00");
        fleet.pool(
                nodePool("default"),
                each -> each.withControls(new PoolControls(null, windows, null, List.of())));

        assertThat(isTimed()).isTrue();
    }
}
