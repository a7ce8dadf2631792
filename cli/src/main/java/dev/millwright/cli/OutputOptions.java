package dev.millwright.cli;

import picocli.CommandLine.Option;

/// How a command shows its result, as kubectl is told.
final class OutputOptions {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "table|wide|json|yaml",
            converter = OutputFormat.Words.class,
            completionCandidates = OutputFormat.Words.class,
            description = "How to show the result (default: table).")
    private OutputFormat format = OutputFormat.TABLE;

    OutputFormat format() {
        return format;
    }
}
