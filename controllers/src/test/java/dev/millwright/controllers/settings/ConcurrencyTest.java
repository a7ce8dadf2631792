package dev.millwright.controllers.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.settings.Concurrency.Rate;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ConcurrencyTest {

    private static int scale(double cores) {
        return Concurrency.scale(10, 1_000, cores);
    }

    @Test
    @Tag("M43")
    void halfACoreGivesTheLeast() {
        assertThat(scale(0.5)).isEqualTo(10);
    }

    @Test
    @Tag("M44")
    void oneCoreGivesTheLeast() {
        assertThat(scale(1)).isEqualTo(10);
    }

    @Test
    @Tag("M45")
    void aPartOfACoreCountsWhole() {
        assertThat(scale(1.5)).isEqualTo(26);
    }

    @Test
    @Tag("M46")
    void betweenTheEndsTheLineIsStraight() {
        assertThat(scale(15)).isEqualTo(244);
    }

    @Test
    @Tag("M47")
    void sixtyCoresGiveTheMost() {
        assertThat(scale(60)).isEqualTo(1_000);
    }

    @Test
    @Tag("M48")
    void moreThanSixtyCoresGiveNoMore() {
        assertThat(scale(100)).isEqualTo(1_000);
    }

    @Test
    @Tag("M49")
    void theRateFollowsTheLeastConcurrency() {
        assertThat(Concurrency.rate(10, 10, 10)).isEqualTo(new Rate(10, 100));
    }

    @Test
    @Tag("M50")
    void twiceTheConcurrencyIsTwiceTheRate() {
        assertThat(Concurrency.rate(10, 10, 20)).isEqualTo(new Rate(20, 200));
    }

    @Test
    @Tag("M51")
    void aTenthOfTheConcurrencyStaysATenth() {
        assertThat(Concurrency.rate(10, 100, 100)).isEqualTo(new Rate(10, 100));
    }

    @Test
    @Tag("M52")
    void aTenthOfTwiceTheConcurrencyIsTwiceAsMuch() {
        assertThat(Concurrency.rate(10, 100, 200)).isEqualTo(new Rate(20, 200));
    }

    @Test
    @Tag("M53")
    void aPartOfARateCountsWhole() {
        assertThat(Concurrency.rate(25, 100, 150)).isEqualTo(new Rate(38, 380));
    }
}
