package dev.millwright.cli;

import dev.millwright.capi.manager.RunnerProcess;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;

/// Runs Terraform for the Cluster API provider beside it.
@Command(
        name = "terraform",
        description =
                "Run Terraform for `run capi --terraform-runner`, as another user and without"
                        + " access to the cluster.",
        sortOptions = false,
        footer = {
            "",
            "Its environment holds PATH with terraform or tofu, proxies, certificates and"
                    + " TF_CLI_CONFIG_FILE.",
            "",
            "Example:",
            "  millwright run terraform --socket=/runner/socket --work-dir=/work"
        })
final class RunTerraformCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final IntConsumer halt;

    @Option(
            names = "--socket",
            required = true,
            paramLabel = "FILE",
            description = "The Unix socket to make; its user and its group may ask.")
    private Path socket = Path.of("");

    @Option(
            names = "--work-dir",
            required = true,
            paramLabel = "DIR",
            description = "Where Workspaces have their folders and plug-ins.")
    private Path workDirectory = Path.of("");

    RunTerraformCommand(Terminal terminal, IntConsumer halt) {
        this.terminal = terminal;
        this.halt = halt;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var settings = new RunnerProcess.Settings(socket, workDirectory);
        return Termination.guarded(
                terminal,
                RunnerProcess.STOP_MAX,
                halt,
                stop -> {
                    RunnerProcess.run(settings, terminal.environment(), this::say, stop);
                    return 0;
                });
    }

    private void say(String line) {
        terminal.err().println("terraform runner: " + line);
        terminal.flush();
    }
}
