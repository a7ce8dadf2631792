package dev.millwright.kube.client;

import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Lets a burst of requests through at once and then so many a second, in the order they came.
public final class TokenBucket {

    private final long intervalNanos;
    private final long burstNanos;
    private final Ticker ticker;
    private final Sleeper sleeper;

    /// When the bucket will be, or was, full. A request moves it one interval on; one that would
    /// move it further than the burst ahead of now must wait. Guarded by `this`.
    private long fullAtNanos;

    public TokenBucket(ApiSettings.Rate rate, Ticker ticker, Sleeper sleeper) {
        this(rate.perSecond(), rate.burst(), ticker, sleeper);
    }

    public TokenBucket(double perSecond, int burst, Ticker ticker, Sleeper sleeper) {
        this.intervalNanos = Math.round(TimeUnit.SECONDS.toNanos(1) / perSecond);
        this.burstNanos = intervalNanos * burst;
        this.ticker = ticker;
        this.sleeper = sleeper;
        this.fullAtNanos = ticker.nanos();
    }

    /// Takes a token, waiting until there is one.
    public void take() throws InterruptedException {
        var waitNanos = reserve();
        if (waitNanos > 0) {
            sleeper.sleep(Duration.ofNanos(waitNanos));
        }
    }

    /// Takes a token if there is one now.
    public synchronized boolean tryTake() {
        var now = ticker.nanos();
        var full = later(fullAtNanos, now) + intervalNanos;
        if (full - now > burstNanos) {
            return false;
        }
        fullAtNanos = full;
        return true;
    }

    private synchronized long reserve() {
        var now = ticker.nanos();
        fullAtNanos = later(fullAtNanos, now) + intervalNanos;
        return fullAtNanos - now - burstNanos;
    }

    /// By difference, because a monotonic clock may wrap around.
    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
