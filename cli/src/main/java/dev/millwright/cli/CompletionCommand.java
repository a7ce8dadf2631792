package dev.millwright.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Prints a script that completes our commands and options. One script serves both shells.
@Command(
        name = "completion",
        description = "Print a completion script for bash or zsh.",
        footer = {
            "",
            "Example:",
            "  source <(millwright completion bash)",
            "  source <(millwright completion zsh)"
        })
final class CompletionCommand implements Runnable {

    /// Shells the script is for.
    enum Shell {
        BASH,
        ZSH
    }

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Parameters(paramLabel = "bash|zsh", description = "The shell.")
    private Shell shell = Shell.BASH;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        var script = AutoComplete.bash("millwright", spec.root().commandLine());
        terminal.out()
                .println(
                        switch (shell) {
                            case BASH -> script;
                            case ZSH -> "autoload -U +X bashcompinit && bashcompinit\n" + script;
                        });
        terminal.flush();
    }
}
