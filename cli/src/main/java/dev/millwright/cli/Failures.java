package dev.millwright.cli;

import dev.millwright.kube.client.KubeAccessException;
import dev.millwright.kube.document.DocumentException;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Turns what went wrong into a message: the file's faults as they are, and a mistake of ours as
/// one.
final class Failures implements IExecutionExceptionHandler {

    static final int EXIT_CODE = 1;

    private final Terminal terminal;

    Failures(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public int handleExecutionException(
            Exception failure, CommandLine commandLine, ParseResult parsed) {
        return tell(failure);
    }

    int tell(Throwable failure) {
        if (terminal.isDebug()) {
            failure.printStackTrace(terminal.err());
        }
        terminal.err()
                .println(
                        switch (failure) {
                            case DocumentException faults -> faults.getMessage();
                            case KubeAccessException noWay -> "millwright: " + noWay.getMessage();
                            case IOException refused -> "millwright: " + refused.getMessage();
                            case UncheckedIOException refused ->
                                    "millwright: " + refused.getCause().getMessage();
                            case OutOfMemoryError _ ->
                                    "millwright: out of memory; give more with MILLWRIGHT_JAVA_OPTIONS=-Xmx4g";
                            default ->
                                    "millwright: a mistake of ours: %s; run again with --debug and report what it prints"
                                            .formatted(failure);
                        });
        terminal.flush();
        return EXIT_CODE;
    }
}
