package dev.millwright.cli;

import dev.millwright.controllers.settings.Flag;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.settings.SettingsException;
import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.runtime.process.StopSignal;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;

/// Watches a cluster, decides what an operator would, and records that instead of doing it.
@Command(
        name = "record",
        description = "Record what an operator would decide for a cluster, and change nothing.",
        footer = {
            "",
            "It is the operator with --dry-run, without a lease and with a recorder. Its other",
            "settings are read from the same environment variables. An operator that acts",
            "records by itself with `millwright run controllers --record-dir`.",
            "",
            "Examples:",
            "  millwright record --for 1h today",
            "  CLUSTER_NAME=shop millwright record --provider aws today"
        })
final class RecordCommand implements Callable<Integer> {

    private final OperatorStart<Settings> operator;
    private final Terminal terminal;
    private final IntConsumer halt;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Parameters(paramLabel = "FOLDER", description = "Where the record goes; made if need be.")
    @SuppressWarnings("NullAway.Init") // Picocli asks for it.
    private Path folder;

    @Option(
            names = "--for",
            paramLabel = "D",
            converter = DurationText.class,
            description = "How long, e.g. 1h; without it until it is stopped.")
    private @Nullable Duration length;

    @Option(
            names = "--max-bytes",
            paramLabel = "N",
            description = "Bytes the record may take up; the oldest go first (default: 1 GiB).")
    private @Nullable String bytesMax;

    @Option(
            names = "--provider",
            paramLabel = "aws|kwok|sim",
            description = "Where nodes come from, as for `run controllers` (default: kwok).")
    private @Nullable String provider;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    RecordCommand(OperatorStart<Settings> operator, Terminal terminal, IntConsumer halt) {
        this.operator = operator;
        this.terminal = terminal;
        this.halt = halt;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var settings = settings();
        var access = cluster.access(terminal);
        terminal.note(
                "recording to %s %s"
                        .formatted(folder, length == null ? "until stopped" : "for " + length));
        return Termination.guarded(
                terminal,
                Termination.STOP_MAX,
                halt,
                stop -> {
                    var timer = timer(stop);
                    try {
                        return operator.run(settings, access, stop);
                    } finally {
                        timer.interrupt();
                    }
                });
    }

    private Thread timer(StopSignal stop) {
        var wait = length;
        return Thread.ofVirtual()
                .start(
                        () -> {
                            if (wait != null) {
                                stopAfter(wait, stop);
                            }
                        });
    }

    private static void stopAfter(Duration wait, StopSignal stop) {
        try {
            Thread.sleep(wait);
            stop.request();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private Settings settings() {
        var flags = new TreeMap<String, String>();
        flags.put(Flag.RECORD_DIR.flagName(), folder.toString());
        flags.put(Flag.DRY_RUN.flagName(), "true");
        flags.put(Flag.DISABLE_LEADER_ELECTION.flagName(), "true");
        flags.put(Flag.DISABLE_WEBHOOK.flagName(), "true");
        flags.put(Flag.METRICS_PORT.flagName(), "0");
        flags.put(Flag.HEALTH_PROBE_PORT.flagName(), "0");
        flags.put(Flag.LOG_OUTPUT_PATHS.flagName(), "stderr");
        if (bytesMax != null) {
            flags.put(Flag.RECORD_MAX_BYTES.flagName(), bytesMax);
        }
        if (provider != null) {
            flags.put(Flag.PROVIDER.flagName(), provider);
        }
        try {
            var reading = SettingsReader.read(flags, terminal.environment());
            reading.notes().forEach(terminal::note);
            return reading.settings();
        } catch (SettingsException refused) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), String.join("\nmillwright: ", refused.faults()), refused);
        }
    }
}
