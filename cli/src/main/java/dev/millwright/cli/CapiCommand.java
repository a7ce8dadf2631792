package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// What stands before the views of clusters that Cluster API builds.
@Command(
        name = "capi",
        description = "Look at clusters that are built through Cluster API.",
        synopsisSubcommandLabel = "VIEW",
        footer = {"", "Example:", "  millwright capi tree shop -n team-a"})
final class CapiCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Override
    public void run() {
        throw WrongUsage.withoutSubcommand(spec, "view");
    }
}
