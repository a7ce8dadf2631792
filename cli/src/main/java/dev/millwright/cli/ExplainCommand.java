package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// What stands before the kinds of which it can be said why.
@Command(
        name = "explain",
        description = "Say why something is so, and the smallest change that would flip it.",
        synopsisSubcommandLabel = "KIND",
        preprocessor = KubectlGrammar.class,
        footer = {
            "",
            "Examples:",
            "  millwright explain pod web-7f9c -n shop",
            "  millwright explain po/web-7f9c -n shop"
        })
final class ExplainCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Override
    public void run() {
        throw WrongUsage.withoutSubcommand(spec, "kind");
    }
}
