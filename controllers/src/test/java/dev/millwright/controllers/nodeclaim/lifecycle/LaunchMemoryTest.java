package dev.millwright.controllers.nodeclaim.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.Machine;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

final class LaunchMemoryTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Machine MACHINE =
            new Machine(
                    "fake:///1",
                    "",
                    new TreeMap<>(),
                    new TreeMap<>(),
                    Resources.NONE,
                    Resources.NONE,
                    NOON,
                    false);

    private final LaunchMemory memory = new LaunchMemory();

    @Test
    void aMachineIsKnownForAnHour() {
        memory.remember("a", MACHINE, NOON);

        assertThat(memory.find("a", NOON.plus(Duration.ofMinutes(59)))).isEqualTo(MACHINE);
        assertThat(memory.find("a", NOON.plus(Duration.ofHours(1)))).isNull();
    }

    @Test
    void aForgottenMachineIsNotFound() {
        memory.remember("a", MACHINE, NOON);

        memory.forget("a");

        assertThat(memory.find("a", NOON)).isNull();
    }
}
