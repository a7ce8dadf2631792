package dev.millwright.dashboard.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Counters;
import dev.millwright.dashboard.picture.Picture.Machine;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Pace;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.Picture.Price;
import dev.millwright.dashboard.picture.Picture.Share;
import dev.millwright.dashboard.picture.Picture.Workload;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

class LookbackTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final Lookback lookback = new Lookback(Duration.ofSeconds(5));

    private static Picture picture(int seconds) {
        var now = NOON.plusSeconds(seconds);
        var machine = new Machine("default", "m5.large", "a", CapacityType.SPOT, 0.1);
        return new Picture(
                "at " + seconds,
                new Pace(NOON, now, 1, false),
                false,
                List.of(
                        new Node(
                                "node-" + seconds / 10,
                                machine,
                                Phase.READY,
                                null,
                                new Share(1, 2),
                                new Share(1, 2),
                                List.of())),
                new Workload(List.of(), List.of()),
                new Price(0.1, 0.1, List.of()),
                Counters.NONE,
                List.of());
    }

    @Test
    void picturesThatAreTooNearAreLeftOut() {
        IntStream.of(0, 2, 5, 9, 12).forEach(second -> lookback.add(picture(second)));
        assertThat(lookback.length()).isEqualTo(3);
        assertThat(lookback.at(1)).isEqualTo(NOON.plusSeconds(5));
        assertThat(lookback.picture(2).title()).isEqualTo("at 12");
    }

    @Test
    void aNodeThatDidNotChangeIsTheSameObject() {
        lookback.add(picture(0));
        lookback.add(picture(5));
        lookback.add(picture(10));
        var first = lookback.picture(0).nodes().getFirst();
        assertThat(lookback.picture(1).nodes().getFirst()).isSameAs(first);
        assertThat(lookback.picture(2).nodes().getFirst()).isNotSameAs(first);
    }

    @Test
    void aLongLifeKeepsItsBeginningAndItsEnd() {
        IntStream.range(0, 1_000).forEach(step -> lookback.add(picture(5 * step)));
        assertThat(lookback.length()).isBetween(100, Lookback.PICTURES_MAX);
        assertThat(lookback.at(0)).isEqualTo(NOON);
        assertThat(lookback.at(lookback.length() - 1)).isAfter(NOON.plusSeconds(4_900));
    }

    @Test
    void anIndexThatIsGoneIsTheLastThatIsLeft() {
        lookback.add(picture(0));
        assertThat(lookback.picture(7).title()).isEqualTo("at 0");
    }
}
