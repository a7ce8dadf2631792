package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Command.Replacement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

final class CommandTest {

    private static final InstanceType SMALL = type("small", 2, 1).build();
    private static final InstanceType LARGE = type("large", 8, 3).build();

    private static Command replaceByASmallerNode() {
        return fleet().selling(SMALL, LARGE)
                .with(machine("a", LARGE))
                .with(running("web", "a", "1"))
                .decide(DisruptionMethod.SINGLE_NODE)
                .commands()
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "0, PT10M",
        "7500, PT10M",
        "7501, PT10M0.08S",
        "20000, PT26M40S",
        "45000, PT1H",
        "45001, PT1H"
    })
    void theMoreNodesAreToGoTheLongerTheyMayTake(int nodes, Duration timeout) {
        assertThat(Command.timeout(nodes)).isEqualTo(timeout);
    }

    @Test
    void whatIsSavedIsThePriceOfTheNodesLessThatOfTheNewOnes() {
        assertThat(replaceByASmallerNode().savedPerHour()).isCloseTo(2, within(1e-9));
    }

    @Test
    void aTemplateIsOfNoKnownPrice() {
        var command = replaceByASmallerNode();
        var fixed =
                new Command(
                        DisruptionMethod.STATIC_DRIFT,
                        command.candidates(),
                        List.of(new Replacement.Template("fixed")),
                        List.of());

        assertThat(fixed.savedPerHour()).isEqualTo(3);
        assertThat(fixed.replacements().getFirst().nodePool()).isEqualTo("fixed");
    }

    @Test
    void aPlannedReplacementIsOfItsClaimsPool() {
        assertThat(replaceByASmallerNode().replacements().getFirst().nodePool())
                .isEqualTo("default");
    }

    @Test
    void aCommandSaysWhatGoesAndWhatComes() {
        var command = replaceByASmallerNode();

        assertThat(command.summary()).isEqualTo("replace a for 1 new");
        assertThat(
                        new Command(
                                        DisruptionMethod.EMPTINESS,
                                        command.candidates(),
                                        List.of(),
                                        List.of())
                                .summary())
                .isEqualTo("delete a");
    }

    @Test
    void aCommandTakesAtLeastOneNode() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new Command(
                                        DisruptionMethod.EMPTINESS,
                                        List.of(),
                                        List.of(),
                                        List.of()))
                .withMessageContaining("at least one node");
    }

    @Test
    void methodsAreReadAndCountedByTheirNames() {
        assertThat(DisruptionMethod.STATIC_DRIFT.label()).isEqualTo("static drift");
        assertThat(DisruptionMethod.MULTI_NODE.consolidationType()).isEqualTo("multi");
        assertThat(DisruptionMethod.DRIFT.consolidationType()).isEmpty();
        assertThat(Validation.Cause.SCHEDULING.text()).isEqualTo("scheduling");
    }
}
