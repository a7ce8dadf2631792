package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// What stands before the views of Helm releases on clusters.
@Command(
        name = "addons",
        description =
                "Look at what HelmChartProxies have installed on clusters, and what they would.",
        synopsisSubcommandLabel = "VIEW",
        footer = {
            "",
            "Examples:",
            "  millwright addons status -n team-a",
            "  millwright addons diff -f proxy.yaml"
        })
final class AddonsCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Override
    public void run() {
        throw WrongUsage.withoutSubcommand(spec, "view");
    }
}
