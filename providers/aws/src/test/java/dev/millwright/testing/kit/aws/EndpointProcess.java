package dev.millwright.testing.kit.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The program behind an [AwsEndpoint]. It ends with its standard input, whose other end only this
/// JVM holds: it is gone when the JVM is, however that ends.
final class EndpointProcess {

    private static final Duration BUILD_LIMIT = Duration.ofMinutes(15);
    private static final int LOG_CHARACTERS_MAX = 20_000;

    private final Process process;
    private final Path log;
    private final URI uri;

    private EndpointProcess(Process process, Path log, URI uri) {
        this.process = process;
        this.log = log;
        this.uri = uri;
    }

    static EndpointProcess start() {
        var folder = folder();
        var interpreter = build(folder);
        try {
            var name = "endpoint-%d.log".formatted(ProcessHandle.current().pid());
            var directory = Path.of("target", "aws-endpoint").toAbsolutePath();
            var log = Files.createDirectories(directory).resolve(name);
            var process =
                    new ProcessBuilder(interpreter, folder.resolve("endpoint").toString())
                            .redirectError(Redirect.appendTo(log.toFile()))
                            .start();
            var port = process.inputReader(UTF_8).readLine();
            if (port == null) {
                throw new IllegalStateException(
                        "the AWS endpoint did not start: " + Files.readString(log));
            }
            return new EndpointProcess(
                    process, log, URI.create("http://127.0.0.1:" + port.strip()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    URI uri() {
        return uri;
    }

    /// What a failing test wants to know: whether it lives, and its last words.
    String condition() {
        var state = process.isAlive() ? "is running" : "ended with " + process.exitValue();
        return "the AWS endpoint %s %s; its log %s ends: %s".formatted(uri, state, log, tail());
    }

    private String tail() {
        try {
            var text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - LOG_CHARACTERS_MAX));
        } catch (IOException failure) {
            return "(unreadable: %s)".formatted(failure.getMessage());
        }
    }

    /// The interpreter of the environment that the script makes in the cache when it is missing.
    private static String build(Path folder) {
        try {
            var process =
                    new ProcessBuilder("bash", folder.resolve("build.sh").toString())
                            .redirectError(Redirect.INHERIT)
                            .start();
            process.getOutputStream().close();
            var path = process.inputReader(UTF_8).readLine();
            if (!process.waitFor(BUILD_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        "making the AWS endpoint's environment took longer than " + BUILD_LIMIT);
            }
            if (process.exitValue() != 0 || path == null) {
                throw new IllegalStateException(
                        "the AWS endpoint's environment could not be made; the lines above say why");
            }
            return path;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the endpoint was made", failure);
        }
    }

    /// Tests run in a module's directory under Maven, and often in the root under an editor.
    private static Path folder() {
        var here = Path.of("").toAbsolutePath();
        for (var each = here; each != null; each = each.getParent()) {
            var folder = each.resolve("testing").resolve("aws-endpoint");
            if (Files.isRegularFile(folder.resolve("build.sh"))) {
                return folder;
            }
        }
        throw new IllegalStateException(
                "found no testing/aws-endpoint above %s; run inside the repository"
                        .formatted(here));
    }
}
