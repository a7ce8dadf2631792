package dev.millwright.cli;

import dev.millwright.cli.demo.DemoWorld;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/// A command that shows a page until it is stopped, in this process.
final class VisitedPage implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("shown at (http://[^;]+);");
    private static final Duration START_MAX = Duration.ofSeconds(60);

    private final StringWriter out = new StringWriter();
    private final CompletableFuture<URI> address = new CompletableFuture<>();
    private final Thread command;

    private VisitedPage(String input, String... arguments) {
        command =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    var told = new Told();
                                    var exitCode = run(input, told, arguments);
                                    address.completeExceptionally(
                                            new IllegalStateException(
                                                    "ended with %d: %s".formatted(exitCode, told)));
                                });
    }

    private int run(String input, Told told, String... arguments) {
        var terminal =
                Terminal.ofStreams(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintWriter(out),
                        new PrintWriter(told),
                        CommandRun.PLAIN);
        var parts =
                new Main.Parts(
                        (_, _, _) -> 0,
                        (_, _, _) -> 0,
                        (_, _, _) -> 0,
                        DemoWorld::of,
                        CommandRun.NO_AWS);
        return Main.commandLine(terminal, parts, _ -> {}).execute(arguments);
    }

    static VisitedPage of(String input, String... arguments) {
        return new VisitedPage(input, arguments);
    }

    String get(String path) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var page = address.get(START_MAX.toSeconds(), TimeUnit.SECONDS);
            var request = HttpRequest.newBuilder(page.resolve(path)).build();
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("the page was not shown", failed);
        }
    }

    /// What the command printed before it showed the page.
    String out() {
        return out.toString();
    }

    @Override
    public void close() {
        command.interrupt();
        try {
            command.join(START_MAX);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Standard error, in which the address stands.
    private final class Told extends StringWriter {
        @Override
        public void flush() {
            super.flush();
            var match = ADDRESS.matcher(toString());
            if (match.find()) {
                address.complete(URI.create(match.group(1)));
            }
        }
    }
}
