package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// What stands before the commands: options that all of them share.
@Command(
        name = "millwright",
        description = "A node autoscaler for Kubernetes, compatible with Karpenter.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = RootCommand.Version.class,
        footer = {
            "",
            "Example:",
            "  millwright simulate examples/shop.yaml",
            "",
            "Exit codes: 0 done, 1 failed or bad input, 2 wrong usage, 3 pods are left waiting",
            "and --fail-on-waiting was given."
        })
final class RootCommand implements Runnable {

    /// The version that the jar's manifest holds; a class directory has none.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"millwright " + text()};
        }

        static String text() {
            var version = RootCommand.class.getPackage().getImplementationVersion();
            return version == null ? "unpackaged" : version;
        }
    }

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    RootCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this text and exit.")
    @SuppressWarnings("UnusedVariable") // Picocli acts on it.
    private boolean isHelpWanted;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    @SuppressWarnings("UnusedVariable") // Picocli acts on it.
    private boolean isVersionWanted;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "No progress and no notes on standard error.")
    void setQuiet(boolean isQuiet) {
        terminal.setQuiet(isQuiet);
    }

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Show stack traces; so does the variable MILLWRIGHT_DEBUG.")
    void setDebug(boolean isDebug) {
        terminal.setDebug(isDebug);
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
        terminal.flush();
    }
}
