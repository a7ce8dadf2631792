package dev.millwright.dashboard.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.PictureJson;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Serves the page: its files, the newest picture and older ones, a stream of what changes, answers
/// to what visitors point at, and, where there are controls, a place to send actions to.
public final class DashboardServer implements AutoCloseable {

    /// Tabs that may watch at once. Each is a thread that waits and a picture it has seen.
    static final int STREAMS_MAX = 32;

    /// An action is a line; what is longer is not one.
    static final int BODY_BYTES_MAX = 8 * 1024;

    /// Whole pictures that are written at once: one of a large fleet has megabytes.
    static final int PICTURES_MAX = 4;

    /// Whole pictures that are on their way at once.
    static final int SENDS_MAX = 16;

    /// One write to a browser. Who reads slower than that is cut off, and keeps no other waiting.
    static final Duration WRITE_MAX = Duration.ofSeconds(20);

    private static final int BACKLOG = 64;

    /// How long streams may take to say goodbye.
    private static final int STOP_SECONDS_MAX = 1;

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private final HttpServer server;
    private final ExecutorService threads;
    private final Content content;
    private final Assets assets;
    private final Guard guard;
    private final Semaphore streamPermits = new Semaphore(STREAMS_MAX);
    private final Semaphore picturePermits = new Semaphore(PICTURES_MAX);
    private final Semaphore sendPermits = new Semaphore(SENDS_MAX);
    private final WriteDeadline deadline = new WriteDeadline(WRITE_MAX);

    private DashboardServer(HttpServer server, Content content, Assets assets, Guard guard) {
        this.server = server;
        this.content = content;
        this.assets = assets;
        this.guard = guard;
        this.threads = Executors.newVirtualThreadPerTaskExecutor();
    }

    /// For browsers on this machine. Port 0 means any that is free. Without controls the page only
    /// shows.
    public static DashboardServer start(int port, PictureFeed feed, @Nullable Controls controls)
            throws IOException {
        return start(port, Content.live(feed).withControls(controls));
    }

    /// For browsers on this machine. Port 0 means any that is free.
    public static DashboardServer start(int port, Content content) throws IOException {
        var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
        try {
            var server = HttpServer.create(address, BACKLOG);
            return start(server, content, Guard.of(server.getAddress().getPort()));
        } catch (BindException taken) {
            throw new IOException(
                    "port %d on 127.0.0.1 cannot be had (%s); give another with --port, or --port 0 for any that is free"
                            .formatted(port, taken.getMessage()),
                    taken);
        }
    }

    /// For whoever can reach this process, as a Service or a forwarded port does. There are no
    /// controls in that case, whatever the content says.
    static DashboardServer startInCluster(InetSocketAddress address, Content content)
            throws IOException {
        try {
            return start(
                    HttpServer.create(address, BACKLOG),
                    content.withControls(null),
                    Guard.inCluster());
        } catch (BindException taken) {
            throw new IOException(
                    "cannot listen on %s (%s); choose another port"
                            .formatted(address, taken.getMessage()),
                    taken);
        }
    }

    private static DashboardServer start(HttpServer server, Content content, Guard guard)
            throws IOException {
        var dashboard = new DashboardServer(server, content, Assets.load(), guard);
        server.createContext("/", dashboard::answer);
        server.setExecutor(dashboard.threads);
        server.start();
        return dashboard;
    }

    public URI address() {
        return URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            var isChange = path.equals("/api/actions");
            var headers = exchange.getRequestHeaders();
            var objection =
                    isChange && exchange.getRequestMethod().equals("POST")
                            ? guard.objectionToChange(headers)
                            : guard.objection(headers);
            if (objection != null) {
                refuse(exchange, 403, objection);
            } else if (isChange) {
                act(exchange);
            } else {
                show(exchange, path);
            }
        }
    }

    private void show(HttpExchange exchange, String path) throws IOException {
        var method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            refuse(exchange, 405, "%s is for looking: use GET".formatted(path));
            return;
        }
        switch (path) {
            case "/api/picture" -> picture(exchange);
            case "/api/stream" -> stream(exchange);
            case "/api/moments" -> moments(exchange);
            case "/api/explain", "/api/decision" -> explain(exchange, path);
            default -> {
                var asset = assets.at(path);
                if (asset == null) {
                    refuse(exchange, 404, "there is nothing at this path; the page is at /");
                } else {
                    send(exchange, 200, asset.type(), asset.bytes());
                }
            }
        }
    }

    private boolean isReadOnly() {
        return content.controls() == null;
    }

    private void picture(HttpExchange exchange) throws IOException {
        if (!picturePermits.tryAcquire()) {
            later(exchange, "%d pictures are being written already".formatted(PICTURES_MAX));
            return;
        }
        byte[] written;
        try {
            var reel = content.reel();
            var index =
                    Query.of(exchange.getRequestURI())
                            .index("at", reel == null ? 0 : reel.length());
            var picture =
                    index == null || reel == null
                            ? content.feed().newest().picture()
                            : reel.picture(index);
            written = PictureJson.whole(picture, isReadOnly()).getBytes(UTF_8);
        } catch (IllegalArgumentException wrong) {
            refuse(exchange, 400, String.valueOf(wrong.getMessage()));
            return;
        } finally {
            picturePermits.release();
        }
        if (!sendPermits.tryAcquire()) {
            later(exchange, "%d pictures are being sent already".formatted(SENDS_MAX));
            return;
        }
        try {
            send(exchange, 200, json(), written);
        } finally {
            sendPermits.release();
        }
    }

    private void moments(HttpExchange exchange) throws IOException {
        var text = PictureJson.moments(content.reel(), content.isLive(), content.answers() != null);
        send(exchange, 200, json(), text.getBytes(UTF_8));
    }

    private void explain(HttpExchange exchange, String path) throws IOException {
        try {
            var query = Query.of(exchange.getRequestURI());
            var reel = content.reel();
            var index = query.index("at", reel == null ? 0 : reel.length());
            var answers = index == null || reel == null ? content.answers() : reel.answers(index);
            if (answers == null) {
                refuse(exchange, 404, "what this was decided from is not kept; nobody can say why");
                return;
            }
            reply(
                    exchange,
                    path.equals("/api/explain")
                            ? answers.explain(subject(query))
                            : answers.decision(query.number("number")));
        } catch (IllegalArgumentException wrong) {
            refuse(exchange, 400, String.valueOf(wrong.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            refuse(exchange, 503, "the page is ending");
        }
    }

    private static Answers.Subject subject(Query query) {
        var kind = query.text("kind");
        return new Answers.Subject(
                switch (kind) {
                    case "pod" -> Answers.Kind.POD;
                    case "node" -> Answers.Kind.NODE;
                    default ->
                            throw new IllegalArgumentException(
                                    "kind: found \"%s\"; wanted pod or node".formatted(kind));
                },
                query.text("name"));
    }

    private void reply(HttpExchange exchange, Answers.Reply reply) throws IOException {
        switch (reply) {
            case Answers.Reply.Known(var answer) ->
                    send(exchange, 200, json(), answer.json().getBytes(UTF_8));
            case Answers.Reply.Unknown(var message) -> refuse(exchange, 404, message);
            case Answers.Reply.Busy(var message) -> later(exchange, message);
        }
    }

    private void later(HttpExchange exchange, String message) throws IOException {
        exchange.getResponseHeaders().set("Retry-After", "10");
        refuse(exchange, 503, message);
    }

    private void stream(HttpExchange exchange) throws IOException {
        if (!streamPermits.tryAcquire()) {
            later(exchange, "%d watch already; close a tab".formatted(STREAMS_MAX));
            return;
        }
        try {
            headers(exchange, "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            new EventStream(deadline.of(exchange.getResponseBody()), content.feed(), isReadOnly())
                    .run();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            streamPermits.release();
        }
    }

    private void act(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            refuse(exchange, 405, "an action is sent by POST");
            return;
        }
        var controls = content.controls();
        if (controls == null) {
            refuse(exchange, 403, "this page only shows; there is nothing to change here");
            return;
        }
        var body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
        if (body.length > BODY_BYTES_MAX) {
            refuse(exchange, 413, "an action has at most %d bytes".formatted(BODY_BYTES_MAX));
            return;
        }
        Action action;
        try {
            action = ActionReader.read(new String(body, UTF_8));
        } catch (IllegalArgumentException wrong) {
            refuse(exchange, 400, String.valueOf(wrong.getMessage()));
            return;
        }
        carryOut(exchange, controls, action);
    }

    private void carryOut(HttpExchange exchange, Controls controls, Action action)
            throws IOException {
        try {
            switch (controls.carryOut(action)) {
                case Controls.Outcome.Done(var message) -> tell(exchange, 200, "message", message);
                case Controls.Outcome.Refused(var message) -> refuse(exchange, 409, message);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            refuse(exchange, 503, "the demo is ending");
        }
    }

    private void refuse(HttpExchange exchange, int status, String message) throws IOException {
        tell(exchange, status, "error", message);
    }

    private void tell(HttpExchange exchange, int status, String field, String message)
            throws IOException {
        send(exchange, status, json(), PictureJson.field(field, message).getBytes(UTF_8));
    }

    private static String json() {
        return "application/json; charset=utf-8";
    }

    private static void headers(HttpExchange exchange, String type) {
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    private void send(HttpExchange exchange, int status, String type, byte[] bytes)
            throws IOException {
        headers(exchange, type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, bytes.length);
        deadline.of(exchange.getResponseBody()).write(bytes);
    }

    /// Ends all streams; browsers say that the page has gone.
    @Override
    public void close() {
        content.feed().close();
        server.stop(STOP_SECONDS_MAX);
        threads.shutdownNow();
        deadline.close();
    }
}
