package dev.millwright.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnakeCaseTest {

    @ParameterizedTest
    @CsvSource({
        "Ready, ready",
        "BadNode, bad_node",
        "GPUReady, gpu_ready",
        "WhenEmptyOrUnderutilized, when_empty_or_underutilized",
        "Zone2Down, zone2_down",
        "already_small, already_small"
    })
    void wordsAreSmallAndApart(String text, String wanted) {
        assertThat(SnakeCase.of(text)).isEqualTo(wanted);
    }
}
