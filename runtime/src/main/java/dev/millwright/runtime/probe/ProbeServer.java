package dev.millwright.runtime.probe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.metrics.Metrics;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

import javax.net.ssl.SSLContext;

/// Serves `/metrics` (and profiles, if wanted) on one port, by HTTPS and to those who may read it
/// where that is asked for, `/healthz` and `/readyz` on another. Profiles may have a port of their
/// own instead.
public final class ProbeServer implements AutoCloseable {

    /// Requests answered at once on both ports; more are told to come again.
    private static final int REQUESTS_MAX = 64;

    /// Connections that wait to be accepted.
    private static final int BACKLOG_MAX = 128;

    /// Seconds that requests have to finish when the server stops.
    private static final int STOP_SECONDS_MAX = 1;

    private final @Nullable HttpServer metricsServer;
    private final HttpServer healthServer;
    private final @Nullable HttpServer profileServer;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore permits = new Semaphore(REQUESTS_MAX);
    private final Log log;

    /// Where to listen. Port 0 takes any port that is free; no address for metrics serves none, and
    /// none for profiles gives them no port of their own.
    public record Addresses(
            @Nullable InetSocketAddress metrics,
            InetSocketAddress health,
            @Nullable InetSocketAddress profiles) {

        public Addresses(@Nullable InetSocketAddress metrics, InetSocketAddress health) {
            this(metrics, health, null);
        }
    }

    /// Who gets at the metrics and how. Without a context it is plain HTTP.
    public record Access(@Nullable SSLContext tls, Guard guard) {

        public static final Access OPEN = new Access(null, Guard.OPEN);
    }

    /// What to serve.
    ///
    /// @param liveness what fails when only a restart helps
    /// @param readiness what fails while the process cannot do its work yet
    public record Content(
            Metrics metrics,
            List<Check> liveness,
            List<Check> readiness,
            boolean isProfilingEnabled) {
        public Content {
            liveness = List.copyOf(liveness);
            readiness = List.copyOf(readiness);
        }
    }

    private ProbeServer(
            @Nullable HttpServer metricsServer,
            HttpServer healthServer,
            @Nullable HttpServer profileServer,
            Log log) {
        this.metricsServer = metricsServer;
        this.healthServer = healthServer;
        this.profileServer = profileServer;
        this.log = log;
    }

    /// Listens from now on, and shows its metrics to everybody.
    ///
    /// @throws IOException naming the address that cannot be had
    public static ProbeServer start(Addresses addresses, Content content, Log log)
            throws IOException {
        return start(addresses, Access.OPEN, content, log);
    }

    /// @throws IOException naming the address that cannot be had
    public static ProbeServer start(Addresses addresses, Access access, Content content, Log log)
            throws IOException {
        var bound = new ArrayList<HttpServer>();
        try {
            var metrics = bind(addresses.metrics(), access.tls(), bound);
            var health = bind(addresses.health(), null);
            bound.add(health);
            var profiles = bind(addresses.profiles(), null, bound);
            var server = new ProbeServer(metrics, health, profiles, log);
            server.serve(content, access.guard());
            return server;
        } catch (IOException taken) {
            bound.forEach(each -> each.stop(0));
            throw taken;
        }
    }

    private static @Nullable HttpServer bind(
            @Nullable InetSocketAddress address, @Nullable SSLContext tls, List<HttpServer> bound)
            throws IOException {
        if (address == null) {
            return null;
        }
        var server = bind(address, tls);
        bound.add(server);
        return server;
    }

    private static HttpServer bind(InetSocketAddress address, @Nullable SSLContext tls)
            throws IOException {
        try {
            if (tls == null) {
                return HttpServer.create(address, BACKLOG_MAX);
            }
            var server = HttpsServer.create(address, BACKLOG_MAX);
            server.setHttpsConfigurator(new HttpsConfigurator(tls));
            return server;
        } catch (IOException taken) {
            throw new IOException(
                    "cannot listen on %s (%s); choose another port"
                            .formatted(address, taken.getMessage()),
                    taken);
        }
    }

    private void serve(Content content, Guard guard) {
        if (metricsServer != null) {
            serveMetrics(metricsServer, content, guard);
        }
        var alive = probe("healthz", content.liveness());
        var ready = probe("readyz", content.readiness());
        route(healthServer, Guard.OPEN, alive.path(), alive::answer);
        route(healthServer, Guard.OPEN, ready.path(), ready::answer);
        healthServer.setExecutor(threads);
        healthServer.start();
        if (profileServer != null) {
            route(profileServer, guard, Profiles.PATH, new Profiles()::answer);
            profileServer.setExecutor(threads);
            profileServer.start();
        }
    }

    private static Probe probe(String name, List<Check> more) {
        var checks = new ArrayList<>(List.of(Check.ping(name)));
        checks.addAll(more);
        return new Probe("/" + name, checks);
    }

    private void serveMetrics(HttpServer server, Content content, Guard guard) {
        route(
                server,
                guard,
                "/metrics",
                request -> {
                    var exposition = content.metrics().expose(request.accepted());
                    return new Answer(Answer.OK, exposition.contentType(), exposition.body());
                });
        if (content.isProfilingEnabled()) {
            route(server, guard, Profiles.PATH, new Profiles()::answer);
        }
        server.setExecutor(threads);
        server.start();
    }

    /// `path` and what is below it. The JDK would also send `/metricsX` here.
    private void route(
            HttpServer server, Guard guard, String path, Function<Request, Answer> answer) {
        server.createContext(
                path,
                exchange -> {
                    try (exchange) {
                        var answered = answer(exchange, path, guarded(exchange, guard, answer));
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

    private static Function<Request, Answer> guarded(
            HttpExchange exchange, Guard guard, Function<Request, Answer> answer) {
        var shown = exchange.getRequestHeaders().getFirst("Authorization");
        return request ->
                switch (guard.judge(request.path(), shown)) {
                    case ALLOWED -> answer.apply(request);
                    case UNAUTHENTICATED ->
                            Answer.text(
                                    Answer.UNAUTHENTICATED,
                                    "wanted a bearer token that the API server knows\n");
                    case FORBIDDEN ->
                            Answer.text(
                                    Answer.FORBIDDEN, "the token's owner may not get this path\n");
                    case UNDECIDED ->
                            Answer.text(
                                    Answer.BUSY,
                                    "the API server does not say who this is; come again later\n");
                };
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

    /// @throws IllegalStateException when no metrics are served
    int metricsPort() {
        if (metricsServer == null) {
            throw new IllegalStateException("no address was given for metrics");
        }
        return metricsServer.getAddress().getPort();
    }

    /// @throws IllegalStateException when profiles have no port of their own
    public int profilesPort() {
        if (profileServer == null) {
            throw new IllegalStateException("no address was given for profiles");
        }
        return profileServer.getAddress().getPort();
    }

    int healthPort() {
        return healthServer.getAddress().getPort();
    }

    /// Lets requests finish for a moment, then stops listening and ends their threads.
    @Override
    public void close() {
        healthServer.stop(STOP_SECONDS_MAX);
        if (metricsServer != null) {
            metricsServer.stop(STOP_SECONDS_MAX);
        }
        if (profileServer != null) {
            profileServer.stop(STOP_SECONDS_MAX);
        }
        threads.shutdownNow();
        threads.close();
    }
}
