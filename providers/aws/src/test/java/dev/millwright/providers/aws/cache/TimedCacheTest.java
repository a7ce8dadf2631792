package dev.millwright.providers.aws.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

class TimedCacheTest {

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final TimedCache<String, Integer> cache =
            new TimedCache<>(() -> now, Duration.ofMinutes(1));

    @Test
    void aValueIsGoodForItsTimeAndNoLonger() {
        cache.put("a", 1);

        now = now.plusSeconds(59);
        assertThat(cache.find("a")).isEqualTo(1);
        now = now.plusSeconds(1);
        assertThat(cache.find("a")).isNull();
    }

    @Test
    void puttingAgainBeginsTheTimeAnew() {
        cache.put("a", 1);
        now = now.plusSeconds(40);
        cache.put("a", 2);
        now = now.plusSeconds(40);

        assertThat(cache.find("a")).isEqualTo(2);
    }

    @Test
    void aSweepTellsWhatWentAndKeepsTheRest() {
        cache.put("a", 1);
        cache.put("b", 2, Duration.ofHours(1));
        now = now.plusSeconds(60);

        assertThat(cache.sweep()).containsExactly("a");
        assertThat(cache.all()).containsOnlyKeys("b");
    }

    @Test
    void whatIsFullForgetsWhatWasPutFirst() {
        for (var number = 0; number < 10_001; number++) {
            cache.put("entry" + number, number);
        }

        assertThat(cache.find("entry0")).isNull();
        assertThat(cache.find("entry1")).isEqualTo(1);
        assertThat(cache.find("entry10000")).isEqualTo(10_000);
    }
}
