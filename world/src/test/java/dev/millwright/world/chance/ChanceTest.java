package dev.millwright.world.chance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.stream.IntStream;

final class ChanceTest {

    private static String drawn(Chance chance) {
        return chance.letters(20);
    }

    @Test
    void theSameSeedAndNameGiveTheSameDraws() {
        assertThat(drawn(Chance.of(7).stream("a"))).isEqualTo(drawn(Chance.of(7).stream("a")));
    }

    @Test
    void anotherSeedOrNameGivesOthers() {
        var text = drawn(Chance.of(7).stream("a"));

        assertThat(text).isNotEqualTo(drawn(Chance.of(8).stream("a")));
        assertThat(text).isNotEqualTo(drawn(Chance.of(7).stream("b")));
    }

    @Test
    void aStreamDoesNotDependOnWhatOthersDrew() {
        var busy = Chance.of(7);
        drawn(busy);

        assertThat(drawn(busy.stream("a"))).isEqualTo(drawn(Chance.of(7).stream("a")));
    }

    @Test
    void whatNeverOrAlwaysHappensIsNotDrawn() {
        var asked = Chance.of(7);
        assertThat(asked.happens(0)).isFalse();
        assertThat(asked.happens(1)).isTrue();

        assertThat(drawn(asked)).isEqualTo(drawn(Chance.of(7)));
    }

    @Test
    void durationsLieBetweenTheirEnds() {
        var chance = Chance.of(7);

        assertThat(IntStream.range(0, 1_000))
                .allMatch(
                        _ -> {
                            var drawn =
                                    chance.between(Duration.ofSeconds(1), Duration.ofSeconds(2));
                            return drawn.toMillis() >= 1_000 && drawn.toMillis() <= 2_000;
                        });
    }
}
