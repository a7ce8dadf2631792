package dev.millwright.testing.bench;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.record.RecordFolder;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.scenario.Scenarios;
import dev.millwright.world.story.Scene;
import dev.millwright.world.story.Setting;
import dev.millwright.world.story.Theatre;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/// What a day of decisions takes on disk. The day is that of the scenario `trace`: pods come and go
/// with a curve, Jobs run, versions are rolled. See `testing/bench/record.sh`.
///
/// Fewer hours than a day hold the same curve, so that more happens in each of them.
public final class RecordDay {

    private static final long SEED = 101;
    private static final int NODES = 500;
    private static final int DAYS = 7;
    private static final int HOURS_PER_DAY = 24;
    private static final Duration TELL_EVERY = Duration.ofMinutes(30);
    private static final double BYTES_PER_MEBIBYTE = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Path path;
    private final RecordFolder folder;
    private final Instant end;
    private Instant told = WorldSettings.START;
    private long decisions;
    private long nodes;
    private int nodesMax;
    private int podsMax;
    private long recordingNanos;

    private RecordDay(Path path, RecordFolder folder, Instant end) {
        this.path = path;
        this.folder = folder;
        this.end = end;
    }

    public static void main(String[] arguments) throws IOException {
        Locale.setDefault(Locale.ROOT); // Numbers look the same everywhere.
        var hours = Integer.parseInt(arguments[0]);
        var pods = Integer.parseInt(arguments[1]);
        var path = Files.createTempDirectory("record-day");
        try {
            measure(path, hours, pods);
        } finally {
            delete(path);
        }
    }

    private static void measure(Path path, int hours, int pods) throws IOException {
        var length = Duration.ofHours(hours);
        var setting =
                new Setting(
                        SEED,
                        Objects.requireNonNull(Scenarios.find("trace")),
                        Set.of(),
                        length,
                        pods);
        var settings = new RecordFolder.Settings(path, 1L << 30, "bench");
        var folder = new RecordFolder(settings, InstantSource.system());
        var day = new RecordDay(path, folder, WorldSettings.START.plus(length));
        var began = day.threads.getCurrentThreadCpuTime();
        try (folder) {
            Theatre.ec2().play(Scene.of(setting).endingAt(length), day::saw, _ -> {});
        }
        day.tell(hours, size(path), day.threads.getCurrentThreadCpuTime() - began);
    }

    private void saw(Happening happening) {
        if (happening instanceof Happening.Decided(var at, _, var deliberation)
                && at.isBefore(end)) {
            var began = threads.getCurrentThreadCpuTime();
            write(deliberation);
            recordingNanos += threads.getCurrentThreadCpuTime() - began;
            decisions++;
            nodes += deliberation.snapshot().nodes().size();
            nodesMax = Math.max(nodesMax, deliberation.snapshot().nodes().size());
            podsMax = Math.max(podsMax, deliberation.snapshot().pods().size());
            tellProgress(at, deliberation);
        }
    }

    private void tellProgress(Instant at, Deliberation deliberation) {
        if (at.isBefore(told.plus(TELL_EVERY))) {
            return;
        }
        told = at;
        System.err.println(
                "bench-record: %s: %,d decisions, %,.1f MiB, %,d nodes, %,d pods"
                        .formatted(
                                Duration.between(WorldSettings.START, at)
                                        .truncatedTo(ChronoUnit.MINUTES),
                                decisions,
                                mebibytes((double) size(path)),
                                deliberation.snapshot().nodes().size(),
                                deliberation.snapshot().pods().size()));
    }

    private void write(Deliberation deliberation) {
        try {
            folder.write(deliberation);
            folder.flush();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private void tell(int hours, long bytes, long nanos) {
        var mean = (double) nodes / decisions;
        var week = (double) bytes / hours * HOURS_PER_DAY * DAYS;
        System.out.println(
                "%,d decisions in %d h, %,.0f bytes each"
                        .formatted(decisions, hours, bytes / (double) decisions));
        System.out.println(
                "%,.0f nodes on average, %,d at most; %,d pods at most"
                        .formatted(mean, nodesMax, podsMax));
        System.out.println(
                "%,.1f MiB; a week of it %,.0f MiB; at %d nodes, in proportion, %,.0f MiB"
                        .formatted(
                                mebibytes((double) bytes),
                                mebibytes(week),
                                NODES,
                                mebibytes(week * NODES / mean)));
        System.out.println(
                "recording took %,.1f s of CPU, %.2f ms a decision, %.1f%% of all"
                        .formatted(
                                recordingNanos / NANOS_PER_SECOND,
                                recordingNanos / NANOS_PER_MILLI / decisions,
                                100.0 * recordingNanos / nanos));
    }

    private static double mebibytes(double bytes) {
        return bytes / BYTES_PER_MEBIBYTE;
    }

    private static long size(Path path) {
        try (var files = Files.list(path)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static void delete(Path path) throws IOException {
        try (var all = Files.walk(path)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
