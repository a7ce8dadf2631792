package dev.millwright.cli;

import dev.millwright.cli.shell.FishCompletion;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Prints a script that completes our commands and options. Bash and zsh share one.
@Command(
        name = "completion",
        description = "Print a completion script for bash, zsh or fish.",
        footer = {
            "",
            "Example:",
            "  source <(millwright completion bash)",
            "  source <(millwright completion zsh)",
            "  millwright completion fish | source"
        })
final class CompletionCommand implements Runnable {

    /// Shells the script is for.
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
    private Shell shell = Shell.BASH;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        terminal.out()
                .println(
                        switch (shell) {
                            case BASH -> bash();
                            case ZSH -> "autoload -U +X bashcompinit && bashcompinit\n" + bash();
                            case FISH -> FishCompletion.of(spec.root());
                        });
        terminal.flush();
    }

    private String bash() {
        return AutoComplete.bash("millwright", spec.root().commandLine());
    }
}
