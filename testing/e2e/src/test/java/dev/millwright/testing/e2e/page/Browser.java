package dev.millwright.testing.e2e.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A real Chromium without a window, driven by its own protocol over a socket, so that the tests of
/// the page need no library. It has a directory of its own and talks to nobody but us.
final class Browser implements AutoCloseable {

    private static final Duration INSTALL_MAX = Duration.ofMinutes(10);
    private static final long STOP_SECONDS_MAX = 10;

    private final Process process;
    private final Path directory;
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    private Browser(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    static Browser start() {
        var script = root().resolve("build/chromium.sh").toString();
        var program = Shell.run(List.of(script), "", INSTALL_MAX).strip();
        try {
            var directory = Files.createTempDirectory("chromium");
            var log = directory.resolve("chromium.log");
            var process =
                    new ProcessBuilder(
                                    program,
                                    "--headless",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--disable-quic",
                                    "--disable-dev-shm-usage",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--disable-extensions",
                                    "--force-color-profile=srgb",
                                    "--remote-debugging-port=0",
                                    "--user-data-dir=" + directory.resolve("profile"),
                                    "about:blank")
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            process.getOutputStream().close();
            var portFile = directory.resolve("profile/DevToolsActivePort");
            var text =
                    Eventually.see(
                            "Chromium listens; its log is " + log,
                            () -> read(portFile),
                            found -> found.contains("\n"));
            return new Browser(process, directory, Integer.parseInt(text.lines().toList().get(0)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The directory of the checkout, from wherever in it the tests run.
    static Path root() {
        var at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("build/chromium.sh"))) {
            at = at.getParent();
            if (at == null) {
                throw new IllegalStateException("build/chromium.sh is in no directory above");
            }
        }
        return at;
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, UTF_8) : "";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// An empty tab. What it sees, asks for and complains about is written down from the beginning.
    Tab tab() {
        try {
            var request =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:%d/json/new?about:blank"
                                                    .formatted(port)))
                            .PUT(HttpRequest.BodyPublishers.noBody())
                            .build();
            var answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            var socket = JsonReader.object(answer.body()).text("webSocketDebuggerUrl");
            return Tab.open(client, URI.create(String.valueOf(socket)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a tab was opened", failure);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            delete();
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while Chromium stopped", failure);
        }
    }

    /// What its last children still write may be left behind in the directory for temporary files.
    private void delete() {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException stillInUse) {
            directory.toFile().deleteOnExit();
        }
    }
}
