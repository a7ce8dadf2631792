package dev.millwright.testing.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Runs one command to its end. A command that fails, or lasts longer than its limit, is an
/// exception with its words.
public final class Shell {
    private Shell() {}

    public static String run(List<String> command, String input, Duration limit) {
        try {
            var process = new ProcessBuilder(command).start();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var out = threads.submit(() -> text(process.getInputStream()));
                var errors = threads.submit(() -> text(process.getErrorStream()));
                feed(process, input);
                if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                    throw new IllegalStateException(
                            "%s did not end in %s: %s".formatted(command, limit, errors.get()));
                }
                if (process.exitValue() != 0) {
                    throw new IllegalStateException(
                            "%s ended with %d: %s"
                                    .formatted(command, process.exitValue(), errors.get()));
                }
                return out.get();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("cannot read what %s says".formatted(command), failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while %s ran".formatted(command), failure);
        }
    }

    private static void feed(Process process, String input) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(UTF_8));
        } catch (IOException _) {
            // It ended without reading all of it; its exit code says whether that was right.
        }
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), UTF_8);
    }
}
