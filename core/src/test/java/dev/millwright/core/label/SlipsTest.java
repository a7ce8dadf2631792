package dev.millwright.core.label;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlipsTest {

    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "zone, zone, 0",
        "zone, '', 4",
        "'', zone, 4",
        "zone, zones, 1",
        "zones, zone, 1",
        "zone, zona, 1",
        "zone, oone, 1",
        "zone, znoe, 1",
        "zone, ozne, 1",
        "zone, zoen, 1",
        "zone, oznea, 2",
        "zone, enoz, 3",
        "kitten, sitting, 3",
        "ca, abc, 3",
        "abcd, acbd, 1",
        "abcdef, badcfe, 3",
        "aab, aba, 1"
    })
    void aSlipIsALetterTooManyTooFewAnotherOrTwoThatChangedPlaces(
            String one, String other, int slips) {
        assertThat(Slips.between(one, other)).isEqualTo(slips);
        assertThat(Slips.between(other, one)).isEqualTo(slips);
    }
}
