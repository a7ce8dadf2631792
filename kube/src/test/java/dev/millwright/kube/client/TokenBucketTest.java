package dev.millwright.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class TokenBucketTest {

    private long nowNanos;
    private final List<Duration> slept = new ArrayList<>();
    private final TokenBucket bucket =
            new TokenBucket(
                    new ApiSettings.Rate(10, 3),
                    () -> nowNanos,
                    wait -> {
                        slept.add(wait);
                        nowNanos += wait.toNanos();
                    });

    private void take(int times) throws InterruptedException {
        for (var taken = 0; taken < times; taken++) {
            bucket.take();
        }
    }

    @Test
    void aBurstPassesAtOnceAndTheRestAtTheRate() throws InterruptedException {
        take(3);
        assertThat(slept).isEmpty();

        take(2);
        assertThat(slept).containsExactly(Duration.ofMillis(100), Duration.ofMillis(100));
    }

    @Test
    void tokensComeBackWithTimeUpToTheBurst() throws InterruptedException {
        take(3);
        nowNanos += Duration.ofHours(1).toNanos();
        take(3);
        assertThat(slept).isEmpty();

        take(1);
        assertThat(slept).hasSize(1);
    }

    @Test
    void tryingTakesNothingWhenThereIsNone() throws InterruptedException {
        take(3);

        assertThat(bucket.tryTake()).isFalse();
        assertThat(bucket.tryTake()).isFalse();
        nowNanos += Duration.ofMillis(100).toNanos();
        assertThat(bucket.tryTake()).isTrue();
    }
}
