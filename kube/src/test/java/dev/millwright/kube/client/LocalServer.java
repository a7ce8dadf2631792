package dev.millwright.kube.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A server on the loop-back address that gives the answers it was told to, in order, and keeps
/// what it was asked.
final class LocalServer implements AutoCloseable {

    record Asked(String method, String path, String userAgent, String contentType, String body) {}

    @FunctionalInterface
    interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    LocalServer() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        asked.add(
                new Asked(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().toString(),
                        String.valueOf(headers.getFirst("User-Agent")),
                        String.valueOf(headers.getFirst("Content-Type")),
                        new String(
                                exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        var answer = answers.poll();
        try (exchange) {
            if (answer == null) {
                json(500, "{\"reason\":\"NobodySaidWhat\"}").give(exchange);
            } else {
                answer.give(exchange);
            }
        }
    }

    LocalServer then(Answer answer) {
        answers.add(answer);
        return this;
    }

    LocalServer then(int code, String body) {
        return then(json(code, body));
    }

    static Answer json(int code, String body) {
        return exchange -> {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    static Answer putOff(int code, String retryAfter) {
        return exchange -> {
            exchange.getResponseHeaders().set("Retry-After", retryAfter);
            json(code, "{\"reason\":\"TooManyRequests\",\"message\":\"later\"}").give(exchange);
        };
    }

    /// Hangs up without a word.
    static Answer hangUp() {
        return HttpExchange::close;
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    /// A kubeconfig of this server.
    KubeAccess access(Path directory) {
        var file = directory.resolve("kubeconfig");
        try {
            Files.writeString(
                    file,
                    """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    contexts:
                      - name: here
                        context: {cluster: here, user: me}
                    clusters:
                      - name: here
                        cluster: {server: "http://127.0.0.1:%d"}
                    users:
                      - name: me
                        user: {token: very-secret}
                    """
                            .formatted(server.getAddress().getPort()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return KubeAccess.Kubeconfig.of(file);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
