package dev.millwright.testing.kit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/// Time that stands still until a test moves it, or somebody sleeps. Starts at [Given#NOON].
public final class FakeClock implements InstantSource {

    private volatile Instant now;

    public FakeClock() {
        this(Given.NOON);
    }

    public FakeClock(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    public synchronized Instant advance(Duration step) {
        now = now.plus(step);
        return now;
    }

    public synchronized void set(Instant moment) {
        now = moment;
    }

    /// For who only measures: nanoseconds since some moment.
    public long nanos() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, now);
    }

    /// For who waits: takes no time but the clock's own. An interrupted thread does not sleep, as
    /// ever.
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before it slept");
        }
        advance(duration);
    }
}
