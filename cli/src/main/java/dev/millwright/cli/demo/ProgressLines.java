package dev.millwright.cli.demo;

import dev.millwright.dashboard.picture.Picture;
import dev.millwright.kube.time.Ticker;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;

/// Tells how it goes in plain lines, where there is no terminal to paint on.
public final class ProgressLines implements Consumer<Picture> {

    private static final Duration STEP = Duration.ofSeconds(2);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Consumer<String> lines;
    private final Ticker ticker;
    private long nextNanos;

    public ProgressLines(Consumer<String> lines, Ticker ticker) {
        this.lines = lines;
        this.ticker = ticker;
        this.nextNanos = ticker.nanos();
    }

    @Override
    public void accept(Picture picture) {
        if (ticker.nanos() - nextNanos < 0) {
            return;
        }
        nextNanos = ticker.nanos() + STEP.toNanos();
        lines.accept(
                "%s  %,d nodes, %,d pods running, %,d waiting, $%.4f an hour, lower bound $%.4f"
                        .formatted(
                                TIME.format(picture.pace().now()),
                                picture.nodes().size(),
                                picture.nodes().stream().mapToInt(node -> node.pods().size()).sum(),
                                picture.workload().waiting().size(),
                                picture.price().perHour(),
                                picture.price().lowerBoundPerHour()));
    }
}
