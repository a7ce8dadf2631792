package dev.millwright.controllers.nodepool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.controllers.nodepool.health.PoolHealth.Status;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/// The last registrations of a pool's nodes.
final class PoolRegistrationsTest {

    private final PoolHealth health = new PoolHealth();

    private void record(String uid, boolean... successes) {
        for (var success : successes) {
            health.record(uid, success);
        }
    }

    @Test
    @Tag("G-HR-1")
    void ofAPoolThatNobodySawNothingIsKnown() {
        assertThat(health.status("a")).isEqualTo(Status.UNKNOWN);
    }

    @Test
    @Tag("G-HR-2")
    void oneSuccessIsHealthy() {
        record("a", true);

        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }

    @Test
    @Tag("G-HR-3")
    void twoFailuresAreUnhealthyAndOneIsNot() {
        record("a", false);
        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);

        record("a", false);
        assertThat(health.status("a")).isEqualTo(Status.UNHEALTHY);
    }

    @Test
    @Tag("G-HR-4")
    void twoFailuresOfThreeAreUnhealthyUntilTheyAreFourAgo() {
        record("a", false, false, true);
        assertThat(health.status("a")).isEqualTo(Status.UNHEALTHY);

        record("a", true, true);
        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }

    @Test
    @Tag("G-HR-5")
    void everyPoolHasItsOwnHealth() {
        record("a", true);
        record("b", false, false);

        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
        assertThat(health.status("b")).isEqualTo(Status.UNHEALTHY);
        assertThat(health.status("c")).isEqualTo(Status.UNKNOWN);
    }

    @Test
    @Tag("G-HR-6")
    void askingWhatWouldBeChangesNothing() {
        record("a", false);

        assertThat(health.ifRecorded("a", false)).isEqualTo(Status.UNHEALTHY);
        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }

    @Test
    @Tag("G-HR-7")
    void aPoolBeginsAnewOnceItIsForgotten() {
        record("a", false, false);
        health.forget("a");
        assertThat(health.status("a")).isEqualTo(Status.UNKNOWN);

        record("a", true);
        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }

    @Test
    @Tag("G-HR-8")
    void registrationsOfManyThreadsAreAllRecorded()
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls =
                    Collections.nCopies(
                            100, Executors.callable(() -> health.record("a", false), true));
            for (var done : threads.invokeAll(calls)) {
                done.get();
            }
        }
        record("a", true, true);
        assertThat(health.status("a")).isEqualTo(Status.UNHEALTHY);

        record("a", true);
        assertThat(health.status("a")).isEqualTo(Status.HEALTHY);
    }
}
