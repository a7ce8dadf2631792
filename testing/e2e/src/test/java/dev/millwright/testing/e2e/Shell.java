package dev.millwright.testing.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs one command to its end. A command that fails, or lasts longer than its limit, is an
/// exception with its words.
///
/// Input and output go through files: a pipe that a child of the command still holds would keep its
/// reader waiting beyond the limit.
public final class Shell {
    private static final String WITH_CTRL_C =
            "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
                    + " os.execvp(sys.argv[1], sys.argv[1:])";

    private Shell() {}

    /// The same command, started as a terminal starts it: SIGINT ends it. What runs in the
    /// background, under `nohup` or in many CI runners, passes SIGINT to its children as ignored,
    /// and Java keeps it so.
    public static List<String> withCtrlC(List<String> command) {
        var whole = new ArrayList<>(List.of("python3", "-c", WITH_CTRL_C));
        whole.addAll(command);
        return List.copyOf(whole);
    }

    public static String run(List<String> command, String input, Duration limit) {
        try {
            var files = Files.createTempDirectory("millwright-shell");
            try {
                return run(command, input, limit, files);
            } finally {
                for (var file : List.of("in", "out", "err")) {
                    Files.deleteIfExists(files.resolve(file));
                }
                Files.delete(files);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while %s ran".formatted(command), failure);
        }
    }

    private static String run(List<String> command, String input, Duration limit, Path files)
            throws IOException, InterruptedException {
        var in = Files.writeString(files.resolve("in"), input);
        var out = files.resolve("out");
        var errors = files.resolve("err");
        var process =
                new ProcessBuilder(command)
                        .redirectInput(in.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(errors.toFile())
                        .start();
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    "%s did not end in %s: %s".formatted(command, limit, text(errors)));
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(
                    "%s ended with %d: %s".formatted(command, process.exitValue(), text(errors)));
        }
        return text(out);
    }

    /// Bytes that are no text stay visible as such.
    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), UTF_8);
    }
}
