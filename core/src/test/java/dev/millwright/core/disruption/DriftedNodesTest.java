package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.core.disruption.MachineBuilder.spotMachine;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.scheduling.PlannedClaim;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Nodes that are no longer what their pool asks for.
final class DriftedNodesTest {

    private static final InstanceType TYPE = type("type", 4, 1).build();

    private final FleetBuilder fleet = fleet().selling(TYPE);

    private static List<PlannedClaim> planned(Decision decision) {
        return decision.commands().getFirst().replacements().stream()
                .map(Replacement.Planned.class::cast)
                .map(Replacement.Planned::claim)
                .toList();
    }

    @Test
    void aDriftedNodeIsReplacedForItsPods() {
        fleet.with(machine("a", TYPE).drifted()).with(running("web", "a", "3"));

        var decision = fleet.decide(DisruptionMethod.DRIFT);

        assertThat(decision.commands().getFirst().nodes()).containsExactly("a");
        assertThat(decision.commands().getFirst().decision()).isEqualTo("replace");
        assertThat(planned(decision)).hasSize(1);
        assertThat(decision.isWithheld()).isFalse();
    }

    @Test
    void aDriftedNodeWhosePodsFitElsewhereIsNotReplaced() {
        fleet.with(machine("a", TYPE).drifted(), machine("b", TYPE)).with(running("web", "a", "3"));

        var command = fleet.decide(DisruptionMethod.DRIFT).commands().getFirst();

        assertThat(command.decision()).isEqualTo("delete");
        assertThat(command.nominated()).containsExactly("b");
    }

    @Test
    void aNodeThatHasNotDriftedStays() {
        fleet.with(machine("a", TYPE));

        assertThat(fleet.reason(DisruptionMethod.DRIFT)).isEqualTo(new KeepReason.NotDrifted());
    }

    @Test
    void nodesOfStaticPoolsAreLeftToTheirOwnMethod() {
        fleet.pool(nodePool("fixed").replicas(1)).with(machine("a", TYPE).pool("fixed").drifted());

        assertThat(fleet.reason(DisruptionMethod.DRIFT)).isEqualTo(new KeepReason.StaticPool());
    }

    @Test
    void theOneThatDriftedFirstGoesFirst() {
        fleet.with(
                        machine("a", TYPE).drifted(),
                        machine("b", TYPE).driftedAt(NOON.minusSeconds(60)))
                .with(running("one", "a", "3"), running("two", "b", "3"));

        var decision = fleet.decide(DisruptionMethod.DRIFT);

        assertThat(decision.commands().getFirst().nodes()).containsExactly("b");
        assertThat(decision.kept()).containsEntry("a", new KeepReason.NotItsTurn());
        assertThat(decision.eligible()).isEqualTo(2);
    }

    @Test
    void anEmptyNodeGoesBeforeOneThatDriftedEarlier() {
        fleet.with(
                        machine("a", TYPE).driftedAt(NOON.minusSeconds(60)),
                        machine("b", TYPE).drifted())
                .with(running("one", "a", "3"));

        assertThat(fleet.decide(DisruptionMethod.DRIFT).commands().getFirst().nodes())
                .containsExactly("b");
    }

    @Test
    void ofNodesThatDriftedAtOnceTheFirstByNameGoes() {
        fleet.with(machine("b", TYPE).drifted(), machine("a", TYPE).drifted());

        assertThat(fleet.decide(DisruptionMethod.DRIFT).commands().getFirst().nodes())
                .containsExactly("a");
    }

    @Test
    void aSpentBudgetKeepsANodeAndTheNextPoolsNodeGoes() {
        fleet.pool(nodePool("closed"), each -> each.withBudgets(FleetBuilder.budgets("0")))
                .pool(nodePool("open"))
                .with(
                        machine("a", TYPE).pool("closed").drifted(),
                        machine("b", TYPE).pool("open").drifted());

        var decision = fleet.decide(DisruptionMethod.DRIFT);

        assertThat(decision.commands().getFirst().nodes()).containsExactly("b");
        assertThat(decision.kept())
                .containsEntry("a", new KeepReason.PoolBudgetSpent("closed", Reason.DRIFTED));
        assertThat(decision.isWithheld()).isTrue();
    }

    @Test
    void theCommandTakesUpBudget() {
        fleet.budget("1").with(machine("a", TYPE).drifted());

        assertThat(fleet.decide(DisruptionMethod.DRIFT).allowances().left("default")).isZero();
    }

    @Test
    void aNodeWhosePodsWouldFindNoPlaceStaysAndTheNextGoes() {
        fleet.with(
                        machine("a", TYPE).driftedAt(NOON.minusSeconds(60)),
                        machine("b", TYPE).drifted())
                .with(
                        running("one", "a", "3").nodeSelector("disk", "gone"),
                        running("two", "b", "3"));

        var decision = fleet.decide(DisruptionMethod.DRIFT);

        assertThat(decision.commands().getFirst().nodes()).containsExactly("b");
        assertThat(decision.kept().get("a")).isInstanceOf(KeepReason.PodsHomeless.class);
    }

    // What it becomes
    // ------------------------------------------------------------------------------

    private static final InstanceType BOTH =
            type("both", 4)
                    .offering("test-zone-1", "on-demand", 1)
                    .offering("test-zone-1", "spot", 0.4)
                    .build();

    private void mixed() {
        fleet.selling(BOTH)
                .pool(
                        each ->
                                new PoolRules(
                                        each.pool(),
                                        each.budgets(),
                                        each.consolidateAfter(),
                                        each.policy(),
                                        each.controls(),
                                        null,
                                        new CapacityMix(1, 50)));
    }

    @Test
    void aPoolThatKeepsAMixBuysAnOnDemandNodeAgain() {
        mixed();
        fleet.with(machine("a", BOTH).drifted()).with(running("web", "a", "3"));

        var claim = planned(fleet.decide(DisruptionMethod.DRIFT)).getFirst();

        assertThat(claim.requirements().on(LabelKeys.CAPACITY_TYPE).values())
                .containsExactly("on-demand");
        assertThat(claim.pricePerHour()).isEqualTo(1);
    }

    @Test
    void aPoolThatKeepsAMixBuysASpotNodeAgain() {
        mixed();
        fleet.with(spotMachine("a", BOTH).drifted()).with(running("web", "a", "3"));

        assertThat(
                        planned(fleet.decide(DisruptionMethod.DRIFT))
                                .getFirst()
                                .requirements()
                                .on(LabelKeys.CAPACITY_TYPE)
                                .values())
                .containsExactly("spot");
    }

    @Test
    void whereWhatItWasCannotBeHadAPoolThatKeepsAMixTakesWhatThereIs() {
        mixed();
        var spotOnly = type("spot-only", 4).offering("test-zone-1", "spot", 0.4).build();
        fleet.selling(spotOnly)
                .with(machine("a", spotOnly).drifted())
                .with(running("web", "a", "3"));

        assertThat(
                        planned(fleet.decide(DisruptionMethod.DRIFT))
                                .getFirst()
                                .cheapest()
                                .capacityType())
                .isEqualTo("spot");
    }

    @Test
    void aPoolWithoutMixBuysWhateverIsCheapest() {
        fleet.selling(BOTH).with(machine("a", BOTH).drifted()).with(running("web", "a", "3"));

        assertThat(
                        planned(fleet.decide(DisruptionMethod.DRIFT))
                                .getFirst()
                                .cheapest()
                                .capacityType())
                .isEqualTo("spot");
    }

    @Test
    void aNodeThatReturnsToSpotIsReplacedBySpotAlone() {
        fleet.selling(BOTH).with(machine("a", BOTH).returning()).with(running("web", "a", "3"));

        var claim = planned(fleet.decide(DisruptionMethod.DRIFT)).getFirst();

        assertThat(claim.requirements().on(LabelKeys.CAPACITY_TYPE).values())
                .containsExactly("spot");
    }

    @Test
    void aNodeThatWouldReturnToSpotStaysWhereSpotIsNoCheaper() {
        fleet.with(machine("a", TYPE).returning()).with(running("web", "a", "3"));

        assertThat(fleet.reason(DisruptionMethod.DRIFT)).isEqualTo(new KeepReason.NoCheaperSpot(1));
    }

    @Test
    void aNodeThatWouldReturnToSpotStaysWhenMinValuesWouldBreak() {
        var onDemand = type("on-demand-only", 4).offering("test-zone-1", "on-demand", 1).build();
        fleet.selling(BOTH, onDemand)
                .pool(nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 2))
                .with(machine("a", BOTH).returning())
                .with(running("web", "a", "3"));

        assertThat(fleet.reason(DisruptionMethod.DRIFT)).isEqualTo(new KeepReason.NoCheaperSpot(1));
    }
}
