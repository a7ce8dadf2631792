package dev.millwright.testing.kit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Time that stands still until a test moves it. Starts at [Given#NOON].
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
}
