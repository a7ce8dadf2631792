package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// What stands before the things that run until they are stopped.
@Command(
        name = "run",
        description = "Run a part of the platform until it is stopped.",
        synopsisSubcommandLabel = "PART",
        footer = {
            "",
            "Examples:",
            "  millwright run controllers --dry-run",
            "  millwright run capi --leader-elect",
            "  millwright run addons --leader-elect",
            "  millwright run terraform --socket=/runner/socket --work-dir=/work"
        })
final class RunCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Override
    public void run() {
        throw WrongUsage.withoutSubcommand(spec, "part");
    }
}
