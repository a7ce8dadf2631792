package dev.millwright.cli;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.quantity.GoDuration;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Says of a forecast that takes long how far it has come.
final class ForecastProgress implements Consumer<Deliberation> {

    private static final Duration TOLD_EVERY = Duration.ofSeconds(15);

    private final String what;
    private final Instant from;
    private final Consumer<String> step;
    private final LongSupplier nanos;
    private long toldNanos;
    private long decisions;

    /// @param what the words before how far it has come
    /// @param from the moment that is forecast from
    ForecastProgress(String what, Instant from, Consumer<String> step, LongSupplier nanos) {
        this.what = what;
        this.from = from;
        this.step = step;
        this.nanos = nanos;
        this.toldNanos = nanos.getAsLong();
        step.accept(what);
    }

    @Override
    public void accept(Deliberation deliberation) {
        decisions++;
        var now = nanos.getAsLong();
        if (now - toldNanos < TOLD_EVERY.toNanos()) {
            return;
        }
        toldNanos = now;
        step.accept(
                "%s: %,d decisions, %s from now"
                        .formatted(
                                what,
                                decisions,
                                GoDuration.format(
                                        Duration.ofSeconds(
                                                Duration.between(from, deliberation.at())
                                                        .toSeconds()))));
    }
}
