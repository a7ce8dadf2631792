package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.policy.CapacityMix.Counts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

final class CapacityMixTest {

    private static final String BASE = "millwright.dev/on-demand-base";
    private static final String PERCENT = "millwright.dev/spot-percent";

    /// What the pool is made of after so many launches, one after another.
    private static Counts grown(CapacityMix mix, int nodes) {
        return IntStream.range(0, nodes)
                .boxed()
                .reduce(Counts.NONE, (counts, _) -> counts.and(mix.next(counts)), (one, _) -> one);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 70, 1, 1, 0",
        "2, 70, 2, 2, 0",
        "2, 70, 12, 5, 7",
        "2, 70, 102, 32, 70",
        "0, 100, 5, 0, 5",
        "0, 0, 5, 5, 0",
        "3, 100, 5, 3, 2",
        "0, 50, 7, 4, 3",
    })
    void aPoolGrowsToItsMix(int base, int percent, int nodes, int onDemand, int spot) {
        assertThat(grown(new CapacityMix(base, percent), nodes))
                .isEqualTo(new Counts(onDemand, spot));
    }

    @Test
    void aPoolThatFellBackToOnDemandGrowsBySpot() {
        var mix = new CapacityMix(2, 50);

        assertThat(mix.next(new Counts(6, 0))).isEqualTo("spot");
        assertThat(mix.isOnDemandSpare(new Counts(6, 0))).isTrue();
        assertThat(mix.isOnDemandSpare(new Counts(4, 2))).isFalse();
        assertThat(mix.isOnDemandSpare(new Counts(2, 0))).isFalse();
    }

    @Test
    void otherCapacityTypesCountAsNeither() {
        assertThat(Counts.NONE.and("reserved").and("")).isEqualTo(Counts.NONE);
    }

    @Test
    void annotationsAreRead() {
        assertThat(CapacityMix.of(Map.of(BASE, "2", PERCENT, "70")).mix())
                .isEqualTo(new CapacityMix(2, 70));
        assertThat(CapacityMix.of(Map.of(BASE, "2")).mix()).isEqualTo(new CapacityMix(2, 100));
        assertThat(CapacityMix.of(Map.of(PERCENT, "30")).mix()).isEqualTo(new CapacityMix(0, 30));
        assertThat(CapacityMix.of(Map.of()).mix()).isNull();
    }

    @Test
    void theLargestBaseAndShareAreRead() {
        var reading = CapacityMix.of(Map.of(BASE, "100000", PERCENT, "100"));

        assertThat(reading.mix()).isEqualTo(new CapacityMix(100_000, 100));
        assertThat(reading.problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "101",
                "7 0",
                "70%",
                "/",
                ":",
                "0100",
                "many",
                "99999999999999999999"
            })
    void whatMakesNoSenseIsToldAndIgnored(String text) {
        var reading = CapacityMix.of(Map.of(PERCENT, text, BASE, "1"));

        assertThat(reading.mix()).isEqualTo(new CapacityMix(1, 100));
        assertThat(reading.problems())
                .singleElement()
                .asString()
                .contains(PERCENT, "\"" + text + "\"", "0 to 100");
    }

    @Test
    void aReplacementIsBoughtAsWhatItReplaces() {
        assertThat(CapacityMix.inPlaceOf(List.of("spot", "spot"))).isEqualTo("spot");
        assertThat(CapacityMix.inPlaceOf(List.of("spot", "on-demand"))).isEqualTo("on-demand");
        assertThat(CapacityMix.inPlaceOf(List.of("spot", "reserved"))).isNull();
        assertThat(CapacityMix.inPlaceOf(List.of())).isNull();
    }

    @Test
    void onDemandIsNeverLessThanPromised() {
        Stream.of(0, 1, 3, 10)
                .flatMap(
                        base ->
                                Stream.of(0, 33, 50, 99, 100)
                                        .map(percent -> new CapacityMix(base, percent)))
                .forEach(
                        mix ->
                                IntStream.rangeClosed(0, 60)
                                        .forEach(nodes -> assertPromised(mix, nodes)));
    }

    private static void assertPromised(CapacityMix mix, int nodes) {
        var counts = grown(mix, nodes);
        var above = Math.max(0, nodes - mix.onDemandBase());
        var least = Math.min(nodes, mix.onDemandBase()) + above * (100 - mix.spotPercent()) / 100.0;
        assertThat((double) counts.onDemand()).isBetween(least, least + 1);
    }
}
