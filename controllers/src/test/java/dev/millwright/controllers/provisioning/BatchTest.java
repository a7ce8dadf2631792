package dev.millwright.controllers.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// How long a pass waits for more pods.
final class BatchTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final Batch batch = new Batch(Duration.ofSeconds(1), Duration.ofSeconds(10));

    @Test
    void withoutATriggerThereIsNoWindow() {
        assertThat(batch.remaining(NOON)).isNull();
    }

    @Tag("F1")
    @Test
    void aFirstPodOpensTheWindow() {
        batch.trigger("a", NOON);

        assertThat(batch.remaining(NOON)).isEqualTo(Duration.ofSeconds(1));
        assertThat(batch.remaining(NOON.plusSeconds(1))).isZero();
    }

    @Tag("F2")
    @Test
    void aNewPodExtendsTheWindow() {
        batch.trigger("a", NOON);
        batch.trigger("b", NOON.plusMillis(900));

        assertThat(batch.remaining(NOON.plusMillis(900))).isEqualTo(Duration.ofSeconds(1));
    }

    @Tag("F2")
    @Test
    void aPodThatWasSeenDoesNotExtendIt() {
        batch.trigger("a", NOON);
        batch.trigger("a", NOON.plusMillis(900));

        assertThat(batch.remaining(NOON.plusMillis(900))).isEqualTo(Duration.ofMillis(100));
    }

    @Tag("F3")
    @Test
    void theWindowEndsAtItsLongest() {
        for (var tenth = 0; tenth < 100; tenth++) {
            batch.trigger("pod-" + tenth, NOON.plusMillis(tenth * 100L));
        }

        assertThat(batch.remaining(NOON.plusMillis(9_900))).isEqualTo(Duration.ofMillis(100));
        assertThat(batch.remaining(NOON.plusSeconds(10))).isZero();
    }

    @Test
    void whatComesAfterTheEndBelongsToTheNextWindow() {
        batch.trigger("a", NOON);
        batch.close();
        batch.trigger("a", NOON.plusSeconds(5));

        assertThat(batch.remaining(NOON.plusSeconds(5))).isEqualTo(Duration.ofSeconds(1));
    }
}
