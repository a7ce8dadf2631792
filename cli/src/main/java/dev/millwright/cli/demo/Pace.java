package dev.millwright.cli.demo;

import dev.millwright.dashboard.picture.Picture;

import java.time.Duration;
import java.time.Instant;

/// Turns our time into the show's: so many of its seconds for each of ours, or none while it is
/// paused. What a slow machine could not play in time is not made up for, else it would never stop
/// to play.
final class Pace {

    private final Instant startedAt;
    private Instant base;
    private long baseNanos;
    private double speed;
    private boolean isPaused;

    Pace(Instant startedAt, long nanos, double speed) {
        this.startedAt = startedAt;
        this.base = startedAt;
        this.baseNanos = nanos;
        this.speed = speed;
    }

    /// Where the show should be by now.
    Instant target(long nanos) {
        return isPaused ? base : base.plus(Duration.ofNanos((long) ((nanos - baseNanos) * speed)));
    }

    /// The show is here now, whatever it should be.
    void isAt(Instant now, long nanos) {
        base = now;
        baseNanos = nanos;
    }

    void pause(boolean wanted, long nanos) {
        base = target(nanos);
        baseNanos = nanos;
        isPaused = wanted;
    }

    void speed(double wanted, long nanos) {
        base = target(nanos);
        baseNanos = nanos;
        speed = wanted;
    }

    double speed() {
        return speed;
    }

    Picture.Pace shown(Instant now) {
        return new Picture.Pace(startedAt, now, speed, isPaused);
    }
}
