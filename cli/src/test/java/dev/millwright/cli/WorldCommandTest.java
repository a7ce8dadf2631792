package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorldCommandTest {

    private static CommandRun small(String... more) {
        var arguments = new String[10 + more.length];
        var fixed =
                new String[] {
                    "world",
                    "-q",
                    "--seeds",
                    "4..5",
                    "--hours",
                    "0.1",
                    "--pods",
                    "6",
                    "--faults",
                    "none"
                };
        System.arraycopy(fixed, 0, arguments, 0, fixed.length);
        System.arraycopy(more, 0, arguments, fixed.length, more.length);
        return CommandRun.of(arguments);
    }

    @Test
    void theJsonKeysAreThoseOfTheContract() {
        var run = small("-o", "json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("\"seeds\" : 2,")
                .contains("\"invariantsBroken\" : 0,")
                .contains("\"failures\" : [ ],")
                .containsPattern("\"evictions\" : [0-9]+,")
                .containsPattern("\"pricePerHourMean\" : [0-9.]+,");
    }

    @Test
    void theOperatorPacksAsTold() {
        assertThat(small().out()).contains("2 worlds, packing cheapest, in ");
        assertThat(small("-o", "json", "--packing", "first-fit").out())
                .contains("\"packing\" : \"first-fit\",");
    }

    @Test
    void theSameSeedsGiveTheSameFigures() {
        assertThat(withoutTime(small().out())).isEqualTo(withoutTime(small().out()));
    }

    private static String withoutTime(String text) {
        return text.replaceAll("in [0-9.]+ s", "in N s");
    }

    @Test
    void aScenarioThatIsNotThereIsToldWithThoseThatAre() {
        var run = small("--scenario", "weekend");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("--scenario: found \"weekend\"; wanted one of steady, morning-rise");
    }

    @Test
    void aFaultThatIsNotThereIsToldWithThoseThatAre() {
        var run = CommandRun.of("world", "--faults", "crash,earthquake");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--faults: found \"earthquake\"; wanted all, none, or");
    }

    @Test
    void seedsMustBeARange() {
        assertThat(CommandRun.of("world", "--seeds", "5..1").err())
                .contains("--seeds: found 5..1; wanted the smaller seed first");
        assertThat(CommandRun.of("world", "--seeds", "many").err())
                .contains(
                        "--seeds: found \"many\"; wanted one seed such as 7 or a range such as 1..500");
        assertThat(CommandRun.of("world", "--hours", "0").err())
                .contains("--hours: found 0.0; wanted more than 0");
        assertThat(CommandRun.of("world", "--pods", "0").err()).contains("--pods: found 0; wanted");
    }
}
