package dev.millwright.cli;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParseResult;

/// Runs the last command given, and tells of errors of the machine like of any other failure:
/// picocli looks at exceptions alone.
final class Survival implements IExecutionStrategy {

    private final Terminal terminal;

    Survival(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public int execute(ParseResult parsed) {
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (StackOverflowError | OutOfMemoryError exhausted) {
            return new Failures(terminal).tell(exhausted);
        }
    }
}
