package dev.millwright.addons.helm;

import dev.millwright.addons.helm.HelmCommand.Outcome;
import dev.millwright.addons.helm.ManagementSecrets.Content;
import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.ChartSource;
import dev.millwright.addons.port.Charts.Newest;
import dev.millwright.addons.port.Trouble;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Charts that were fetched, kept for a while: a thousand clusters that get one chart fetch it
/// once.
///
/// A chart is kept under the login it was fetched with: who has none, or another, does not get it.
final class ChartStore {

    /// @param bytes a packed chart
    @SuppressWarnings("ArrayRecordComponent") // Written to a file, never compared.
    record Chart(byte[] bytes, String version) {}

    sealed interface Answer {
        record Found(Chart chart) implements Answer {}

        record Failed(Trouble trouble) implements Answer {}
    }

    private static final class Shelf {
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Chart chart;
        private Instant at = Instant.EPOCH;
    }

    private static final int SHELVES_MAX = 32;
    private static final Duration NEWEST_KEPT = Duration.ofSeconds(45);
    private static final Duration EXACT_KEPT = Duration.ofMinutes(10);
    private static final Duration FETCH_MAX = Duration.ofMinutes(2);
    private static final int OUTPUT_MAX = 1 << 20;
    private static final int CHART_BYTES_MAX = 32 << 20;
    private static final String NO_LOGINS = "{}";

    private final HelmSettings settings;
    private final HelmCommand command;
    private final ManagementSecrets secrets;
    private final InstantSource clock;
    private final Map<String, Shelf> shelves =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Shelf> eldest) {
                    return size() > SHELVES_MAX;
                }
            };

    ChartStore(HelmSettings settings, ManagementSecrets secrets, InstantSource clock) {
        this.settings = settings;
        this.command = new HelmCommand(settings.binary());
        this.secrets = secrets;
        this.clock = clock;
    }

    /// The chart of an exact version, or the newest that the source allows.
    Answer fetch(ChartSource source) throws InterruptedException {
        var logins = NO_LOGINS.getBytes(StandardCharsets.UTF_8);
        var credentials = source.credentials();
        if (credentials != null) {
            switch (secrets.content(credentials.secret(), credentials.key())) {
                case Content.Found(var bytes, _) -> logins = bytes;
                case Content.Absent(var message) -> {
                    return failed(Trouble.Cause.CREDENTIALS, message);
                }
            }
        }
        byte[] authority = null;
        if (source.authority() != null) {
            switch (secrets.content(source.authority(), ChartSource.AUTHORITY_KEY)) {
                case Content.Found(var bytes, _) -> authority = bytes;
                case Content.Absent(var message) -> {
                    return failed(Trouble.Cause.AUTHORITY, message);
                }
            }
        }
        return fetch(source, logins, authority);
    }

    /// The version that the source means.
    Newest newest(ChartSource source) throws InterruptedException {
        return switch (fetch(source)) {
            case Answer.Found(var chart) -> new Newest.Version(chart.version());
            case Answer.Failed(var trouble) -> new Newest.Failed(trouble);
        };
    }

    private Answer fetch(ChartSource source, byte[] logins, byte @Nullable [] authority)
            throws InterruptedException {
        var hex = HexFormat.of();
        var shelf =
                shelf(
                        Canonical.digest(
                                source.repository(),
                                source.chart(),
                                source.version(),
                                hex.formatHex(logins),
                                authority == null ? "" : hex.formatHex(authority),
                                Boolean.toString(source.skipsVerification())));
        shelf.lock.lockInterruptibly();
        try {
            var kept = source.isExact() ? EXACT_KEPT : NEWEST_KEPT;
            if (shelf.chart != null && shelf.at.plus(kept).isAfter(clock.instant())) {
                return new Answer.Found(shelf.chart);
            }
            var answer = pulled(source, logins, authority);
            if (answer instanceof Answer.Found(var chart)) {
                shelf.chart = chart;
                shelf.at = clock.instant();
            }
            return answer;
        } finally {
            shelf.lock.unlock();
        }
    }

    private Shelf shelf(String key) {
        synchronized (shelves) {
            return shelves.computeIfAbsent(key, _ -> new Shelf());
        }
    }

    private static Answer failed(Trouble.Cause cause, String message) {
        return new Answer.Failed(new Trouble(cause, message));
    }

    private Answer pulled(ChartSource source, byte[] logins, byte @Nullable [] authority)
            throws InterruptedException {
        try (var scratch = new Scratch(settings.directory())) {
            var access =
                    new HelmArguments.Access(
                            scratch.file("registry.json", logins),
                            authority == null ? null : scratch.file("ca.crt", authority));
            var target = scratch.directory("charts");
            var outcome = run(HelmArguments.pull(source, access, target), scratch);
            if (!(outcome instanceof Outcome.Good)) {
                return failed(
                        Trouble.Cause.HELM,
                        "chart %s of %s cannot be fetched: %s"
                                .formatted(source.chart(), source.repository(), words(outcome)));
            }
            return read(source, target, scratch);
        }
    }

    private Answer read(ChartSource source, Path target, Scratch scratch)
            throws InterruptedException {
        try (var files = Files.list(target)) {
            var file = files.filter(Files::isRegularFile).findFirst().orElse(null);
            if (file == null || Files.size(file) > CHART_BYTES_MAX) {
                return failed(
                        Trouble.Cause.HELM,
                        "chart %s of %s is not there or larger than %d bytes"
                                .formatted(source.chart(), source.repository(), CHART_BYTES_MAX));
            }
            var outcome = run(HelmArguments.showChart(file), scratch);
            if (!(outcome instanceof Outcome.Good(var output))) {
                return failed(Trouble.Cause.HELM, words(outcome));
            }
            return new Answer.Found(new Chart(Files.readAllBytes(file), version(output)));
        } catch (IOException failure) {
            throw new UncheckedIOException("a fetched chart cannot be read", failure);
        }
    }

    private static String version(String chart) {
        try {
            var documents = DocumentReader.readAll(Source.text("Chart.yaml", chart));
            return documents.isEmpty()
                    ? ""
                    : Field.root("chart", documents.getFirst(), new Faults())
                            .at("version")
                            .text("");
        } catch (DocumentException unreadable) {
            return "";
        }
    }

    private Outcome run(List<String> arguments, Scratch scratch) throws InterruptedException {
        return command.run(
                arguments,
                scratch.path(),
                settings.environment(),
                new HelmCommand.Limits(FETCH_MAX, settings.memoryBytesMax(), OUTPUT_MAX));
    }

    static String words(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Good(_) -> "";
            case Outcome.Bad(var words) -> words;
            case Outcome.Ended(var words) -> "Helm " + words;
        };
    }
}
