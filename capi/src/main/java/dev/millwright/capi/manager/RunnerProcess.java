package dev.millwright.capi.manager;

import dev.millwright.capi.runner.LocalHost;
import dev.millwright.capi.runner.RunnerServer;
import dev.millwright.capi.runner.TerraformBinary;
import dev.millwright.runtime.process.StopSignal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/// The runner of Terraform as a process beside the provider: it has the folders and the processes,
/// and neither a token nor a way to the API server.
public final class RunnerProcess {

    /// The manager gives its runs two minutes to save their state; what is left then is killed with
    /// the container.
    public static final Duration STOP_MAX = Duration.ofSeconds(125);

    /// @param socket where the manager asks
    /// @param workDirectory all folders lie below it
    public record Settings(Path socket, Path workDirectory) {}

    private RunnerProcess() {}

    /// Serves until it is told to stop, and then until no run goes on.
    ///
    /// @param log takes a line for a person
    /// @throws IOException when there is no Terraform or no socket can be made; its message is for
    ///   a person
    public static void run(
            Settings settings,
            Map<String, String> environment,
            Consumer<String> log,
            StopSignal stop)
            throws IOException, InterruptedException {
        TerraformBinary binary;
        try {
            binary = TerraformBinary.find(environment);
        } catch (IllegalStateException missing) {
            throw new IOException(missing.getMessage(), missing);
        }
        var host = new LocalHost(binary, settings.workDirectory(), environment);
        try (var server = RunnerServer.open(host, settings.socket(), log)) {
            log.accept(
                    "runs %s %s below %s, asked at %s"
                            .formatted(
                                    binary.path(),
                                    binary.version(),
                                    host.about().root(),
                                    settings.socket()));
            stop.await();
            server.awaitEnd(STOP_MAX);
        }
    }
}
