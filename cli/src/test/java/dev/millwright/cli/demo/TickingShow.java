package dev.millwright.cli.demo;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.kube.time.Ticker;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A show without anything to see, and the clock of who watches it: our time goes on by a little
/// whenever somebody looks at it, and by as much as playing costs.
public final class TickingShow implements Show, Ticker {

    public static final Instant START = Instant.parse("2026-01-05T06:00:00Z");

    private static final Duration LOOK = Duration.ofMillis(1);

    final List<Action> asked = new ArrayList<>();
    private final double costPerSecond;
    private Instant now = START;
    private long nanos;

    /// Playing a second of the show takes so many of ours.
    public TickingShow(double costPerSecond) {
        this.costPerSecond = costPerSecond;
    }

    @Override
    public long nanos() {
        nanos += LOOK.toNanos();
        return nanos;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void playUntil(Instant end) {
        nanos += (long) (Duration.between(now, end).toNanos() * costPerSecond);
        now = end;
    }

    @Override
    public Picture picture() {
        return Picture.empty("ticking", now);
    }

    @Override
    public ApiStore store() {
        return new ApiStore(new Agenda(START), Chance.of(1));
    }

    @Override
    public Outcome carryOut(Action action) {
        asked.add(action);
        return new Outcome.Done("done");
    }
}
