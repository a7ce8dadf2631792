package dev.millwright.cli;

import dev.millwright.kube.client.KubeAccessException;
import dev.millwright.kube.document.DocumentException;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

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
                            case IOException refused -> "millwright: " + words(refused);
                            case UncheckedIOException refused ->
                                    "millwright: "
                                            + words(Objects.requireNonNull(refused.getCause()));
                            case OutOfMemoryError _ ->
                                    "millwright: out of memory; give more with MILLWRIGHT_JAVA_OPTIONS=-Xmx4g";
                            default ->
                                    "millwright: a mistake of ours: %s; run again with --debug and report what it prints"
                                            .formatted(failure);
                        });
        terminal.flush();
        return EXIT_CODE;
    }

    /// Exceptions of files hold no more than a name; those of the network often hold nothing.
    private static String words(IOException failure) {
        return switch (failure) {
            case NoSuchFileException missing ->
                    "there is no file %s; name one that exists".formatted(missing.getFile());
            case AccessDeniedException denied ->
                    "%s may not be opened; see its permissions".formatted(denied.getFile());
            case FileAlreadyExistsException taken ->
                    "%s exists already; name a file that does not".formatted(taken.getFile());
            case NotDirectoryException file ->
                    "%s is no directory; name one".formatted(file.getFile());
            case FileSystemException other ->
                    "%s cannot be read or written: %s"
                            .formatted(
                                    other.getFile(),
                                    other.getReason() == null
                                            ? "no reason is given"
                                            : other.getReason());
            case MalformedInputException _ -> "the file is no text in UTF-8; name one that is";
            case ConnectException _ ->
                    "the server does not answer; see that it runs and that its address is right";
            case UnknownHostException unknown ->
                    "there is no host %s; see the server's address".formatted(unknown.getMessage());
            default ->
                    failure.getMessage() == null
                            ? "reading or writing failed without a reason; run again with --debug"
                            : failure.getMessage();
        };
    }
}
