package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionCommandTest {

    @Test
    void theVersionIsThatOfTheOption() {
        var run = CommandRun.of("version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo(CommandRun.of("--version").out());
    }

    @Test
    void wideSaysWhatItRunsOn() {
        assertThat(CommandRun.of("version", "-o", "wide").out())
                .isEqualTo(
                        "millwright unpackaged, Java %s, %s %s%n",
                        Runtime.version(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"));
    }

    @Test
    void jsonHasTheSameFacts() {
        assertThat(CommandRun.of("version", "-o", "json").out())
                .contains("\"version\" : \"unpackaged\"")
                .contains("\"java\" : \"%s\"".formatted(Runtime.version()));
    }
}
