package dev.millwright.providers.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

class CallRateTest {

    private static final long SECOND = 1_000_000_000;

    private final AtomicLong now = new AtomicLong();
    private final CallRate rate = new CallRate(10, 2, now::get);

    @Test
    void aBurstGoesAtOnce() {
        assertThat(rate.take()).isZero();
        assertThat(rate.take()).isZero();
    }

    @Test
    void whoComesAfterTheBurstWaitsInTurn() {
        rate.take();
        rate.take();
        assertThat(rate.take()).isEqualTo(SECOND / 10);
        assertThat(rate.take()).isEqualTo(SECOND / 5);
    }

    @Test
    void timeFillsTheBucketUpToTheBurst() {
        rate.take();
        rate.take();
        now.addAndGet(60 * SECOND);
        assertThat(rate.take()).isZero();
        assertThat(rate.take()).isZero();
        assertThat(rate.take()).isPositive();
    }

    @Test
    void theRateHoldsOverAWholeSecond() {
        rate.take();
        rate.take();
        now.addAndGet(SECOND / 10);
        assertThat(rate.take()).isZero();
        assertThat(rate.take()).isEqualTo(SECOND / 10);
    }
}
