package dev.millwright.controllers.nodepool.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.health.PoolHealth.Status;

import org.junit.jupiter.api.Test;

final class PoolHealthTest {

    private final PoolHealth health = new PoolHealth();

    @Test
    void aPoolWithoutRegistrationsIsUnknown() {
        assertThat(health.status("a")).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void oneFailureIsForgiven() {
        health.record("a", false);

        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }

    @Test
    void twoFailuresOfFourAreNot() {
        health.record("a", false);
        health.record("a", true);
        health.record("a", true);
        health.record("a", false);

        assertThat(health.status("a")).isEqualTo(Status.UNHEALTHY);
    }

    @Test
    void theFifthRegistrationReplacesTheFirst() {
        health.record("a", false);
        health.record("a", false);
        health.record("a", true);
        health.record("a", true);
        health.record("a", true);

        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }

    @Test
    void askingWhatWouldBeRecordsNothing() {
        health.record("a", false);

        assertThat(health.ifRecorded("a", false)).isEqualTo(Status.UNHEALTHY);
        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }

    @Test
    void poolsAreApart() {
        health.record("a", false);
        health.record("a", false);

        assertThat(health.status("b")).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void aForgottenPoolBeginsAnew() {
        health.record("a", true);

        health.forget("a");

        assertThat(health.status("a")).isEqualTo(Status.UNKNOWN);
    }
}
