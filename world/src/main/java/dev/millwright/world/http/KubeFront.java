package dev.millwright.world.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// The API of a world on loopback, for kubectl and for whoever else speaks it.
///
/// Nobody has to log in: who is on this machine may change the simulation. What a browser carries
/// here from a web site is refused.
public final class KubeFront implements AutoCloseable {

    /// Requests under way at once, watches among them.
    private static final int REQUESTS_MAX = 256;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore permits = new Semaphore(REQUESTS_MAX);
    private final ApiStore store;
    private final WorldThread thread;
    private final Discovery discovery;
    private final Tables tables;
    private final Answering answering;

    private KubeFront(HttpServer server, ApiStore store, InstantSource clock, WorldThread thread) {
        this.server = server;
        this.store = store;
        this.thread = thread;
        this.discovery = new Discovery(store.kinds());
        this.tables = new Tables(clock);
        this.answering = new Answering(store, tables);
    }

    /// `clock` is the world's, for ages; a port of 0 means any that is free.
    public static KubeFront open(ApiStore store, InstantSource clock, WorldThread thread, int port)
            throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        var front = new KubeFront(HttpServer.create(address, 0), store, clock, thread);
        front.server.setExecutor(front.threads);
        front.server.createContext("/", front::handle);
        front.server.start();
        return front;
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// A file that makes kubectl speak to this world.
    public String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: world
                contexts:
                - name: world
                  context: {cluster: world, user: nobody, namespace: default}
                clusters:
                - name: world
                  cluster: {server: "%s"}
                users:
                - name: nobody
                  user: {}
                """
                .formatted(address());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!permits.tryAcquire()) {
                send(exchange, Reply.failure(429, "TooManyRequests", "too many requests at once"));
                return;
            }
            try {
                serve(exchange);
            } finally {
                permits.release();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(HttpExchange exchange) throws IOException, InterruptedException {
        var objection = objection(exchange);
        if (objection != null) {
            send(exchange, Reply.failure(403, "Forbidden", objection));
            return;
        }
        var request = Request.of(exchange);
        var target = Target.of(store.kinds(), request.path());
        var isWatch = target != null && request.method().equals("GET") && request.has("watch");
        if (target != null && isWatch) {
            watch(exchange, request, target);
            return;
        }
        send(exchange, reply(request, target));
    }

    private Reply reply(Request request, @Nullable Target target) throws InterruptedException {
        try {
            if (target != null) {
                return thread.ask(() -> answering.answer(request, target));
            }
            var found = discovery.at(request.path());
            return found == null ? Reply.notFound() : new Reply(200, found);
        } catch (DocumentException | IllegalArgumentException unreadable) {
            return Reply.failure(400, "BadRequest", String.valueOf(unreadable.getMessage()));
        }
    }

    private void watch(HttpExchange exchange, Request request, Target target)
            throws IOException, InterruptedException {
        if (request.has("sendInitialEvents")) {
            // A client that would have its list as events lists instead.
            send(
                    exchange,
                    Reply.failure(
                            422,
                            "Invalid",
                            "sendInitialEvents: Forbidden: this server does not know it"));
            return;
        }
        var watch = new WatchStream(thread, request, target, tables);
        try {
            var watching = watch.begin(store);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            try (var stream = exchange.getResponseBody()) {
                watch.tell(watching, stream);
            }
        } catch (IllegalArgumentException unreadable) {
            send(
                    exchange,
                    Reply.failure(400, "BadRequest", String.valueOf(unreadable.getMessage())));
        }
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        var bytes = JsonWriter.bytes(reply.body());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.code(), bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /// Web sites reach a server on this machine through its visitor's browser: by a name that they
    /// make point here, or across origins. kubectl does neither.
    private @Nullable String objection(HttpExchange exchange) {
        var headers = exchange.getRequestHeaders();
        var port = server.getAddress().getPort();
        var host = headers.getFirst("Host");
        var hosts = Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
        if (host == null || !hosts.contains(host.toLowerCase(Locale.ROOT))) {
            return "the host is not ours";
        }
        return headers.containsKey("Origin") || headers.containsKey("Sec-Fetch-Site")
                ? "this is not for browsers"
                : null;
    }
}
