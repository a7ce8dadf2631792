package dev.millwright.core.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;

class DisruptionCostTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, 0, 1",
                "134217728, 0, 2",
                "-134217728, 0, 0",
                "-, 33554432, 2",
                "-, -67108864, -1",
                "2147483647, 2147483647, 10",
                "-2147483648, -2147483648, -10",
                "cheap, 0, 1",
                "99999999999, 0, 1",
                "4294967296, 0, 1"
            })
    void aPodCostsOneMoreOrLessByItsMarks(
            @Nullable String deletionCost, int priority, double cost) {
        assertThat(DisruptionCost.ofPod(deletionCost, priority)).isEqualTo(cost);
    }

    @Test
    void aNodeThatDoesNotExpireHasAllItsLife() {
        assertThat(DisruptionCost.lifetimeRemaining(null, Instant.EPOCH, NOON)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0.75", "4, 0", "9, 0", "-1, 1"})
    void aNodesLifeRunsOut(long ageHours, double left) {
        assertThat(
                        DisruptionCost.lifetimeRemaining(
                                Duration.ofHours(4), NOON.minus(Duration.ofHours(ageHours)), NOON))
                .isEqualTo(left);
    }

    @Test
    void aNodeThatExpiresAtOnceHasNoLife() {
        assertThat(DisruptionCost.lifetimeRemaining(Duration.ZERO, NOON, NOON)).isZero();
    }
}
