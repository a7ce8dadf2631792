package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.policy.SpotReturn.Past;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

final class SpotReturnTest {

    private static final String KEY = "millwright.dev/return-to-spot";
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final SpotReturn rule = new SpotReturn(Duration.ofMinutes(30));

    private static Instant after(long minutes) {
        return NOON.plus(Duration.ofMinutes(minutes));
    }

    @Test
    void aProcessThatBeginsWaitsItsWholePatience() {
        assertThat(rule.isDue(Past.from(NOON), after(29))).isFalse();
        assertThat(rule.isDue(Past.from(NOON), after(30))).isTrue();
    }

    @Test
    void aRefusalStartsTheWaitAnew() {
        var past = Past.from(NOON).refused(after(25));

        assertThat(rule.isDue(past, after(54))).isFalse();
        assertThat(rule.isDue(past, after(55))).isTrue();
    }

    @Test
    void eachReturnThatFailsDoublesTheWaitUpToADay() {
        var once = Past.from(NOON).tried(after(30)).refused(after(31));
        assertThat(rule.isDue(once, after(31 + 59))).isFalse();
        assertThat(rule.isDue(once, after(31 + 60))).isTrue();

        var twice = once.tried(after(91)).refused(after(92));
        assertThat(rule.isDue(twice, after(92 + 119))).isFalse();
        assertThat(rule.isDue(twice, after(92 + 120))).isTrue();

        var often = new Past(NOON, 1_000, null);
        assertThat(rule.isDue(often, after(24 * 60 - 1))).isFalse();
        assertThat(rule.isDue(often, after(24 * 60))).isTrue();
    }

    @Test
    void manyRefusalsOfOneReturnAreOneFailure() {
        var past = Past.from(NOON).tried(after(30)).refused(after(31)).refused(after(32));

        assertThat(past.failures()).isEqualTo(1);
    }

    @Test
    void aRefusalLongAfterAReturnIsNoFailureOfIt() {
        assertThat(Past.from(NOON).tried(after(30)).refused(after(50)).failures()).isZero();
    }

    @Test
    void failuresAreForgottenAfterAQuietHalfDay() {
        var past = new Past(NOON, 3, null);

        assertThat(past.refused(after(11 * 60)).failures()).isEqualTo(3);
        assertThat(past.refused(after(12 * 60)).failures()).isZero();
    }

    @Test
    void theAnnotationIsRead() {
        assertThat(SpotReturn.of(Map.of(KEY, "30m")).rule()).isEqualTo(rule);
        assertThat(SpotReturn.of(Map.of(KEY, "Never")).rule()).isNull();
        assertThat(SpotReturn.of(Map.of()).problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1m", "soon", "true", "48h", "-10m"})
    void whatMakesNoSenseIsToldAndIgnored(String text) {
        var reading = SpotReturn.of(Map.of(KEY, text));

        assertThat(reading.rule()).isNull();
        assertThat(reading.problems()).singleElement().asString().contains(KEY, "wanted");
    }
}
