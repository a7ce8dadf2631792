package dev.millwright.providers.aws.sdk;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// A bucket of permits that fills at a steady rate. Who finds it empty takes a permit in advance
/// and waits until it would have been there, so that all are served in the order they came.
final class CallRate {

    private static final double NANOS_PER_SECOND = 1e9;

    private final double perSecond;
    private final double burst;
    private final LongSupplier nanoTime;
    private double permits;
    private long filledAt;

    CallRate(double perSecond, int burst, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanoTime = nanoTime;
        this.permits = burst;
        this.filledAt = nanoTime.getAsLong();
    }

    /// Returns when the caller may go. An interrupt ends the wait; the call itself then finds it.
    void await() {
        var until = nanoTime.getAsLong() + take();
        var left = until - nanoTime.getAsLong();
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, left);
            left = until - nanoTime.getAsLong();
        }
    }

    /// Takes a permit; returns the nanoseconds until it is good.
    synchronized long take() {
        var now = nanoTime.getAsLong();
        permits = Math.min(burst, permits + (now - filledAt) * perSecond / NANOS_PER_SECOND);
        filledAt = now;
        permits -= 1;
        return permits >= 0 ? 0 : (long) Math.ceil(-permits * NANOS_PER_SECOND / perSecond);
    }
}
