package dev.millwright.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class RestTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectName WEB = new ObjectName("a", "web");
    private static final ObjectName OTHER = new ObjectName("a", "other");

    private final WorkQueue queue = new WorkQueue(Pace.of(2).withRest(Duration.ofSeconds(1)));

    private void looked(Instant at) {
        queue.add(WEB);
        assertThat(queue.take(at)).isEqualTo(WEB);
        queue.settle(WEB, new Ending.Done(), at);
    }

    @Test
    void aKeyThatChangesAfterALookIsTakenWhenItHasRested() {
        looked(NOON);
        queue.add(WEB);
        assertThat(queue.take(NOON.plusMillis(999))).isNull();
        assertThat(queue.nextAt()).isEqualTo(NOON.plusSeconds(1));
        assertThat(queue.take(NOON.plusSeconds(1))).isEqualTo(WEB);
    }

    @Test
    void manyChangesInTheMeantimeAreOneLook() {
        looked(NOON);
        queue.add(WEB);
        queue.take(NOON);
        queue.add(WEB);
        queue.take(NOON);
        assertThat(queue.take(NOON.plusSeconds(2))).isEqualTo(WEB);
        assertThat(queue.take(NOON.plusSeconds(2))).isNull();
    }

    @Test
    void aKeyThatRestsKeepsNoOtherWaiting() {
        looked(NOON);
        queue.add(WEB);
        queue.add(OTHER);
        assertThat(queue.take(NOON)).isEqualTo(OTHER);
    }

    @Test
    void aKeyThatWasNotLookedAtLatelyIsTakenAtOnce() {
        looked(NOON);
        queue.add(WEB);
        assertThat(queue.take(NOON.plusSeconds(60))).isEqualTo(WEB);
    }
}
