package dev.millwright.testing.bench.comparison;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A program run to its end, alone: what it wrote on standard output.
public final class ChildProcess {

    private ChildProcess() {}

    /// @throws IllegalStateException when the program says that it failed; its own words are on our
    ///   standard error by then
    public static String run(List<String> command) throws InterruptedException {
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            process.getOutputStream().close();
            var output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            var code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        "%s ended with code %d".formatted(String.join(" ", command), code));
            }
            return output;
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "%s could not be run".formatted(command.getFirst()), failure);
        }
    }
}
