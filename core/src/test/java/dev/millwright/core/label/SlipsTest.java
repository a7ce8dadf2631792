package dev.millwright.core.label;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

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

    @ParameterizedTest
    @CsvSource({
        "zoen, zone, true",
        "amd46, amd64, true",
        "c5.larg, c5.large, true",
        "arm64, amd64, false",
        "zz9, m7g, false",
        "a, b, false",
        "zone, zone, false",
        "topology.kubernetes.io/zoen, topology.kubernetes.io/zone, true"
    })
    void aShortWordIsNoSlipOfAnotherThatSharesFewLetters(
            String one, String other, boolean isLikely) {
        assertThat(Slips.isLikely(one, other)).isEqualTo(isLikely);
    }

    @Test
    void theNearestWordIsTheOneOfFewestSlipsAndThenTheFirstByName() {
        assertThat(Slips.nearest("c5.larg", List.of("m5.large", "c5.large", "c6.large")))
                .isEqualTo("c5.large");
        assertThat(Slips.nearest("x5.large", List.of("m5.large", "c5.large")))
                .isEqualTo("c5.large");
        assertThat(Slips.nearest("gpu", List.of("zone", "arch"))).isNull();
    }
}
