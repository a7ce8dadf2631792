package dev.millwright.core.deliberation;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.deliberation.Deliberation.Disruption;
import dev.millwright.core.deliberation.Deliberation.Provisioning;
import dev.millwright.core.deliberation.Deliberation.SecondLook;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.scheduling.Planner;

import org.junit.jupiter.api.Test;

import java.util.List;

/// A decision is kept with all that it was made from, so that it can be made again.
final class DeliberationTest {

    private static final InstanceType TYPE = type("type", 4, 1).build();

    private static Provisioning provisioning() {
        var problem =
                cluster().selling(List.of(TYPE)).with(pod("web", "1"), pod("huge", "99")).problem();
        return new Provisioning(problem, Planner.plan(problem));
    }

    private static DisruptionProblem fleetOfTwo() {
        return fleet().selling(TYPE).with(machine("a", TYPE), machine("b", TYPE)).problem();
    }

    private static Disruption disruption() {
        var asked =
                new MethodCase(
                        fleetOfTwo(),
                        DisruptionMethod.EMPTINESS,
                        DisruptionOptions.NONE,
                        MethodCase.Memory.NONE);
        return new Disruption(asked, asked.decide());
    }

    private static SecondLook secondLook() {
        return SecondLook.of(fleetOfTwo(), disruption().decision().commands());
    }

    @Test
    void aPlanIsToldInOneLineAndMadeAgain() {
        var made = provisioning();

        assertThat(made.summary())
                .isEqualTo("provisioning: 1 claims for $1.0000 an hour, 1 pods left waiting");
        assertThat(made.again()).isEqualTo(made);
        assertThat(made.snapshot()).isEqualTo(made.problem().snapshot());
        assertThat(made.at()).isEqualTo(NOON);
    }

    @Test
    void aDisruptionIsToldInOneLineAndMadeAgain() {
        var made = disruption();

        assertThat(made.summary()).isEqualTo("emptiness: 1 commands, 0 nodes kept");
        assertThat(made.again().decision().commands()).isEqualTo(made.decision().commands());
        assertThat(made.snapshot()).isEqualTo(made.asked().problem().scheduling().snapshot());
        assertThat(made.at()).isEqualTo(NOON);
    }

    @Test
    void aSecondLookIsToldInOneLineAndMadeAgain() {
        var made = secondLook();

        assertThat(made.summary()).isEqualTo("second look: 1 of 1 commands hold");
        assertThat(made.again().validations()).isEqualTo(made.validations());
        assertThat(made.snapshot()).isEqualTo(made.problem().scheduling().snapshot());
        assertThat(made.at()).isEqualTo(NOON);
    }

    @Test
    void aCommandThatDoesNotHoldIsNotCounted() {
        var empty = fleet().selling(TYPE).with(machine("c", TYPE)).problem();

        assertThat(SecondLook.of(empty, disruption().decision().commands()).summary())
                .isEqualTo("second look: 0 of 1 commands hold");
    }
}
