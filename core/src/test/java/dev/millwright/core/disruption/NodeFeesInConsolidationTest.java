package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Replacement;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A node goes where it costs more than what replaces it, its fee included.
final class NodeFeesInConsolidationTest {

    private static final InstanceType SMALL = type("small", 2, 1).build();
    private static final InstanceType LARGE = type("large", 8, 3).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);

    @Test
    void aNodeOfADearPoolIsReplacedByTheSameMachineOfAnother() {
        fleet.pool(nodePool("default").nodeFee(0.5))
                .with(nodePool("free").weight(10))
                .with(machine("a", SMALL))
                .with(running("web", "a", "2"));
        var command = fleet.decide(DisruptionMethod.SINGLE_NODE).commands().getFirst();

        assertThat(command.replacements())
                .singleElement()
                .extracting(Replacement::nodePool)
                .isEqualTo("free");
        assertThat(command.savedPerHour()).isCloseTo(0.5, within(1e-9));
        assertThat(command.candidates()).allMatch(each -> each.pricePerHour() == 1);
    }

    @Test
    void aSmallerMachineWithAFeeIsNotCheaper() {
        fleet.pool(nodePool("default"))
                .with(nodePool("dear").weight(10).nodeFee(2.5))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(fleet.reason(DisruptionMethod.SINGLE_NODE))
                .isEqualTo(new KeepReason.NotCheaper(3));
    }

    @Test
    void aSmallerMachineWithTheSameFeeIs() {
        fleet.pool(nodePool("default").nodeFee(1))
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"));

        assertThat(fleet.decide(DisruptionMethod.SINGLE_NODE).commands())
                .singleElement()
                .satisfies(
                        command -> assertThat(command.savedPerHour()).isCloseTo(2, within(1e-9)));
    }

    /// Two nodes of 1 an hour make way for one of 2.2 where each node costs 0.5 more.
    @Test
    void theWholeFleetIsComparedWithItsFees() {
        var twice = type("twice", 4, 2.2).build();
        fleet.selling(SMALL, twice)
                .pool(
                        nodePool("default").nodeFee(0.5),
                        each -> FleetBuilder.whole(each, Duration.ofHours(2)))
                .with(machine("a", SMALL), machine("b", SMALL))
                .with(running("web", "a", "1.5"), running("api", "b", "1.5"));

        assertThat(fleet.decide(DisruptionMethod.WHOLE_FLEET).commands())
                .singleElement()
                .satisfies(
                        command -> {
                            assertThat(command.nodes()).containsExactly("a", "b");
                            assertThat(command.savedPerHour()).isCloseTo(0.3, within(1e-9));
                        });
    }
}
