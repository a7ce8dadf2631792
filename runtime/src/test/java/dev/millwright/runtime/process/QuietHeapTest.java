package dev.millwright.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

final class QuietHeapTest {

    @ParameterizedTest
    @CsvSource({
        "it was never collected, 0, 60000, 0, 40000000, 0, true",
        "a few collections are rest, 120, 60000, 0, 40000000, 0, true",
        "many are work, 601, 60000, 0, 40000000, 0, false",
        "it has hardly grown, 0, 60000, 50, 40000000, 36000000, false",
        "it has grown, 0, 60000, 50, 48000000, 36000000, true",
        "it has not grown for long, 0, 120000, 50, 36000000, 36000000, true",
        "it has shrunk, 0, 60000, 50, 30000000, 36000000, false",
        "a large one has grown by an eighth, 0, 600000, 400, 900000000, 800000000, false",
        "a large one has grown by a quarter, 0, 600000, 400, 1000000000, 800000000, true",
        "the last pause is not yet paid back, 0, 60000, 700, 48000000, 36000000, false",
        "the last pause is paid back, 0, 120000, 700, 48000000, 36000000, true"
    })
    void aQuietHeapThatHasGrownOrWasLongLeftAloneIsCollected(
            String why,
            long collectingMillis,
            long sinceMillis,
            long pauseMillis,
            long committed,
            long left,
            boolean isWorth) {
        var look =
                new QuietHeap.Look(
                        Duration.ofMillis(collectingMillis),
                        Duration.ofMillis(sinceMillis),
                        Duration.ofMillis(pauseMillis),
                        committed,
                        left);

        assertThat(look.isWorth()).as(why).isEqualTo(isWorth);
    }
}
