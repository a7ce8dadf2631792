package dev.millwright.controllers.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuietHeapTest {

    @ParameterizedTest
    @CsvSource({
        "true, 40000000, 0, true",
        "false, 40000000, 0, false",
        "true, 40000000, 36000000, false",
        "true, 45000000, 36000000, true",
        "true, 30000000, 36000000, false"
    })
    void aQuietHeapThatHasGrownIsCollected(
            boolean isQuiet, long committed, long before, boolean isWorth) {
        assertThat(QuietHeap.isWorth(isQuiet, committed, before)).isEqualTo(isWorth);
    }
}
