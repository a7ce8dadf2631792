package dev.millwright.core.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

final class GoDurationTest {

    @ParameterizedTest
    @CsvSource({
        "10s, PT10S",
        "1h30m, PT1H30M",
        "1.5h, PT1H30M",
        "500ms, PT0.5S",
        ".5s, PT0.5S",
        "1.s, PT1S",
        "-1m, PT-1M",
        "+2s, PT2S",
        "0, PT0S",
        "3us, PT0.000003S",
        "3µs, PT0.000003S",
    })
    void whatGoReadsIsRead(String text, String iso) {
        assertThat(GoDuration.parse(text)).isEqualTo(Duration.parse(iso));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "10", "s", "1 s", "1d", "1s2", "PT1S", "--1s", ".s"})
    void allElseIsNoDuration(String text) {
        assertThat(GoDuration.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.000000001S, 1ns",
        "PT0.000001S, 1µs",
        "PT0.0000015S, 1.5µs",
        "PT0.001S, 1ms",
        "PT0.25S, 250ms",
        "PT1.5S, 1.5s",
        "PT10S, 10s",
        "PT1M, 1m0s",
        "PT59M59S, 59m59s",
        "PT1H, 1h0m0s",
        "PT1H30M, 1h30m0s",
        "PT-2M, -2m0s",
        "PT720H, 720h0m0s",
    })
    void durationsAreWrittenAsGoWritesThem(String iso, String text) {
        assertThat(GoDuration.format(Duration.parse(iso))).isEqualTo(text);
    }

    @Test
    void anAbsurdDurationIsTheGreatestInsteadOfAnOverflow() {
        assertThat(GoDuration.parse("999999999999h")).isGreaterThan(Duration.ofDays(10_000));
    }
}
