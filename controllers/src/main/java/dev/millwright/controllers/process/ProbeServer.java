package dev.millwright.controllers.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.millwright.controllers.log.Log;
import dev.millwright.controllers.metrics.Metrics;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// Serves `/metrics` (and profiles, if wanted) on one port, `/healthz` and `/readyz` on another.
public final class ProbeServer implements AutoCloseable {

    /// Requests answered at once on both ports; more are told to come again.
    private static final int REQUESTS_MAX = 64;

    /// Connections that wait to be accepted.
    private static final int BACKLOG_MAX = 128;

    /// Seconds that requests have to finish when the server stops.
    private static final int STOP_SECONDS_MAX = 1;

    /// Seconds that a client may take to send its request: the JDK has no bound by itself.
    private static final int REQUEST_SECONDS_MAX = 10;

    private static final String REQUEST_SECONDS_PROPERTY = "sun.net.httpserver.maxReqTime";

    private final HttpServer metricsServer;
    private final HttpServer healthServer;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore permits = new Semaphore(REQUESTS_MAX);
    private final Log log;

    /// Where to listen. Port 0 takes any port that is free.
    public record Addresses(InetSocketAddress metrics, InetSocketAddress health) {}

    /// What to serve.
    public record Content(Metrics metrics, List<Check> readiness, boolean isProfilingEnabled) {
        public Content {
            readiness = List.copyOf(readiness);
        }
    }

    private ProbeServer(HttpServer metricsServer, HttpServer healthServer, Log log) {
        this.metricsServer = metricsServer;
        this.healthServer = healthServer;
        this.log = log;
    }

    /// Listens from now on.
    ///
    /// @throws IOException naming the address that cannot be had
    public static ProbeServer start(Addresses addresses, Content content, Log log)
            throws IOException {
        if (System.getProperty(REQUEST_SECONDS_PROPERTY) == null) {
            System.setProperty(REQUEST_SECONDS_PROPERTY, String.valueOf(REQUEST_SECONDS_MAX));
        }
        var metrics = bind(addresses.metrics());
        HttpServer health;
        try {
            health = bind(addresses.health());
        } catch (IOException taken) {
            metrics.stop(0);
            throw taken;
        }
        var server = new ProbeServer(metrics, health, log);
        server.serve(content);
        return server;
    }

    private static HttpServer bind(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, BACKLOG_MAX);
        } catch (IOException taken) {
            throw new IOException(
                    "cannot listen on %s (%s); choose another port"
                            .formatted(address, taken.getMessage()),
                    taken);
        }
    }

    private void serve(Content content) {
        route(
                metricsServer,
                "/metrics",
                request -> {
                    var exposition = content.metrics().expose(request.accepted());
                    return new Answer(Answer.OK, exposition.contentType(), exposition.body());
                });
        if (content.isProfilingEnabled()) {
            route(metricsServer, Profiles.PATH, new Profiles()::answer);
        }
        var alive = new Probe("/healthz", List.of(Check.ping("healthz")));
        var checks = new ArrayList<>(List.of(Check.ping("readyz")));
        checks.addAll(content.readiness());
        var ready = new Probe("/readyz", checks);
        route(healthServer, alive.path(), alive::answer);
        route(healthServer, ready.path(), ready::answer);
        metricsServer.setExecutor(threads);
        healthServer.setExecutor(threads);
        metricsServer.start();
        healthServer.start();
    }

    /// `path` and what is below it. The JDK would also send `/metricsX` here.
    private void route(HttpServer server, String path, Function<Request, Answer> answer) {
        server.createContext(
                path,
                exchange -> {
                    try (exchange) {
                        var answered = answer(exchange, path, answer);
                        exchange.getResponseHeaders().set("Content-Type", answered.contentType());
                        var isHead = exchange.getRequestMethod().equals("HEAD");
                        exchange.sendResponseHeaders(
                                answered.status(), isHead ? -1 : answered.body().length);
                        if (!isHead) {
                            exchange.getResponseBody().write(answered.body());
                        }
                    }
                });
    }

    private Answer answer(HttpExchange exchange, String path, Function<Request, Answer> answer) {
        var request = Request.of(exchange);
        var method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.text(Answer.METHOD_NOT_ALLOWED, "wanted GET\n");
        }
        if (!request.path().equals(path) && !request.path().startsWith(path + "/")) {
            return Answer.text(Answer.NOT_FOUND, "there is nothing here; try " + path + "\n");
        }
        if (!permits.tryAcquire()) {
            return Answer.text(Answer.BUSY, "too many requests at once; come again later\n");
        }
        try {
            return answer.apply(request);
        } catch (RuntimeException broken) {
            log.error("answering a request failed", "path", path, "error", broken);
            return Answer.text(Answer.FAILED, "it failed; the log says why\n");
        } finally {
            permits.release();
        }
    }

    public int metricsPort() {
        return metricsServer.getAddress().getPort();
    }

    public int healthPort() {
        return healthServer.getAddress().getPort();
    }

    /// Lets requests finish for a moment, then stops listening and ends their threads.
    @Override
    public void close() {
        healthServer.stop(STOP_SECONDS_MAX);
        metricsServer.stop(STOP_SECONDS_MAX);
        threads.shutdownNow();
        threads.close();
    }
}
