package dev.millwright.dashboard.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.picture.Picture.Moment;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

class HistoryTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private static Moment moment(long second) {
        return new Moment(NOON.plusSeconds(second), 1, 1, 1, 1);
    }

    @Test
    void momentsThatAreTooNearAreLeftOut() {
        var history = new History(Duration.ofSeconds(10));
        history.add(moment(0));
        history.add(moment(9));
        history.add(moment(10));
        assertThat(history.moments()).containsExactly(moment(0), moment(10));
    }

    @Test
    void aLongStoryKeepsItsBeginningAndItsEnd() {
        var history = new History(Duration.ofSeconds(1));
        IntStream.range(0, 100_000).forEach(second -> history.add(moment(second)));
        assertThat(history.moments())
                .hasSizeBetween(History.MOMENTS_MAX / 2, History.MOMENTS_MAX)
                .startsWith(moment(0));
        assertThat(history.moments().getLast().at()).isAfter(NOON.plusSeconds(99_000));
    }
}
