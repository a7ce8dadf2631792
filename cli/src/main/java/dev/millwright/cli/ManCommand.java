package dev.millwright.cli;

import dev.millwright.cli.shell.ManualPages;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/// Writes a page for `man` for every command. A release is packed with them.
@Command(
        name = "man",
        hidden = true,
        description = "Write a manual page for every command.",
        footer = {"", "Example:", "  millwright man --into share/man/man1"})
final class ManCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Option(
            names = "--into",
            required = true,
            paramLabel = "DIRECTORY",
            description = "Where the pages are written.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(directory);
        for (var page : ManualPages.of(spec.root(), RootCommand.Version.text()).entrySet()) {
            Files.writeString(directory.resolve(page.getKey()), page.getValue());
        }
        return 0;
    }
}
