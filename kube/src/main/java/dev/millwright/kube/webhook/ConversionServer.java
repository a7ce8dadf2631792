package dev.millwright.kube.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.certificate.Credentials;
import dev.millwright.kube.certificate.RotatingKeys;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.conversion.ConversionReview;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/// Answers the API server's questions, over HTTPS, on any replica.
public final class ConversionServer implements AutoCloseable {

    /// Karpenter's paths are below it, by API group.
    public static final String PATH = "/conversion/";

    private static final int BACKLOG_MAX = 128;

    /// NodePools that one request makes us read.
    private static final int POOLS_MAX = 1_000;

    private static final int OK = 200;
    private static final int NOT_JSON = 400;
    private static final int LENGTH_REQUIRED = 411;
    private static final int TOO_LARGE = 413;
    private static final int BUSY = 503;

    /// How much is converted at once. Anybody who reaches the port may ask, since an API server
    /// does not say who it is: what strangers send must not fill the heap.
    ///
    /// @param bytesMax of all large requests that are being read and answered
    /// @param headBytes of a request that must have come before it counts: who sends none holds up
    ///   nobody. Most requests have no more; those wait for none of the large ones, and have an
    ///   eighth of the bytes besides
    /// @param patience how long a request waits for others to be answered
    /// @param transferMax how long the rest of a request, or an answer, may take while it counts:
    ///   less than the patience of those who wait
    record Bounds(int bytesMax, int headBytes, Duration patience, Duration transferMax) {

        /// A request becomes objects of up to thirty times its size, and is written again: `[0,0,0`
        /// and so on is the worst.
        private static final int HEAP_SHARE = 64;

        /// The largest object that an API server takes.
        private static final int BYTES_MAX_AT_LEAST = 3 << 20;

        private static final int BYTES_MAX_AT_MOST = 128 << 20;

        /// The longest head of a request; a thousand connections may each send one.
        private static final int HEAD_BYTES = 16 << 10;

        private static final int SMALL_SHARE = 8;

        private static final Duration PATIENCE = Duration.ofSeconds(5);
        private static final Duration TRANSFER_MAX = Duration.ofSeconds(2);

        static Bounds ofHeap(long heapBytesMax) {
            return new Bounds(
                    Math.clamp(heapBytesMax / HEAP_SHARE, BYTES_MAX_AT_LEAST, BYTES_MAX_AT_MOST),
                    HEAD_BYTES,
                    PATIENCE,
                    TRANSFER_MAX);
        }

        int smallBytesMax() {
            return Math.max(headBytes, bytesMax / SMALL_SHARE);
        }
    }

    private final KubeApi api;
    private final RotatingKeys keys = new RotatingKeys();
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Bounds bounds;
    private final Semaphore bytesLeft;
    private final Semaphore smallBytesLeft;
    private final TransferDeadline transfers;
    private volatile @Nullable Credentials credentials;

    private ConversionServer(KubeApi api, HttpsServer server, Bounds bounds) {
        this.api = api;
        this.server = server;
        this.bounds = bounds;
        this.bytesLeft = new Semaphore(bounds.bytesMax(), true);
        this.smallBytesLeft = new Semaphore(bounds.smallBytesMax(), true);
        this.transfers = new TransferDeadline(bounds.transferMax());
    }

    /// @param port 0 for any that is free
    public static ConversionServer open(KubeApi api, int port) throws IOException {
        return open(
                api, new InetSocketAddress(port), Bounds.ofHeap(Runtime.getRuntime().maxMemory()));
    }

    static ConversionServer open(KubeApi api, InetSocketAddress address, Bounds bounds)
            throws IOException {
        var made = new ConversionServer(api, HttpsServer.create(address, BACKLOG_MAX), bounds);
        made.start();
        return made;
    }

    private void start() throws IOException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keys}, null, null);
            server.setHttpsConfigurator(new HttpsConfigurator(context));
        } catch (GeneralSecurityException impossible) {
            throw new IOException("this JDK knows no TLS", impossible);
        }
        server.setExecutor(threads);
        server.createContext(PATH, this::answer);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /// From the next connection on.
    void use(Credentials next) {
        credentials = next;
        keys.use(next.identity());
    }

    @Nullable Credentials credentials() {
        return credentials;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var length = length(exchange);
            if (length < 0) {
                refuse(exchange, LENGTH_REQUIRED, "found no Content-Length; send one");
            } else if (length > bounds.bytesMax()) {
                refuse(
                        exchange,
                        TOO_LARGE,
                        "found %d bytes; wanted at most %d, which more memory would raise"
                                .formatted(length, bounds.bytesMax()));
            } else {
                answerWithin(exchange, (int) length);
            }
        }
    }

    private static long length(HttpExchange exchange) {
        var length = exchange.getRequestHeaders().getFirst("Content-Length");
        try {
            return length == null ? -1 : Long.parseLong(length);
        } catch (NumberFormatException notNumber) {
            return -1;
        }
    }

    private void answerWithin(HttpExchange exchange, int length) throws IOException {
        var body = exchange.getRequestBody();
        var head = body.readNBytes(Math.min(length, bounds.headBytes()));
        var left = length <= bounds.headBytes() ? smallBytesLeft : bytesLeft;
        try {
            if (!left.tryAcquire(length, bounds.patience().toMillis(), MILLISECONDS)) {
                refuse(exchange, BUSY, "other objects are being converted; come again later");
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            refuse(exchange, BUSY, "the webhook is stopping");
            return;
        }
        try {
            convert(exchange, transfers.within(() -> whole(head, body, length)));
        } finally {
            left.release(length);
        }
    }

    private static byte[] whole(byte[] head, InputStream rest, int length) throws IOException {
        var question = Arrays.copyOf(head, length);
        var end = head.length + rest.readNBytes(question, head.length, length - head.length);
        return end == length ? question : Arrays.copyOf(question, end);
    }

    private void convert(HttpExchange exchange, byte[] question) throws IOException {
        Value.Mapping review;
        try {
            review = JsonReader.object(question);
        } catch (IOException notJson) {
            refuse(exchange, NOT_JSON, "found no JSON object; wanted a ConversionReview");
            return;
        }
        var known = new HashMap<String, @Nullable String>();
        var answer =
                JsonWriter.bytes(
                        ConversionReview.answered(review, pool -> expireAfter(pool, known)));
        transfers.within(() -> send(exchange, OK, "application/json", answer));
    }

    private static void refuse(HttpExchange exchange, int status, String message)
            throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", (message + "\n").getBytes(UTF_8));
    }

    private static byte[] send(HttpExchange exchange, int status, String type, byte[] bytes)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        // Closing waits for what is left of the request.
        exchange.getResponseBody().flush();
        return bytes;
    }

    private @Nullable String expireAfter(String pool, Map<String, @Nullable String> known) {
        if (known.size() >= POOLS_MAX && !known.containsKey(pool)) {
            return null;
        }
        return known.computeIfAbsent(pool, this::expireAfter);
    }

    /// A pool that is gone leaves its claims to the API server's default.
    private @Nullable String expireAfter(String pool) {
        if (pool.isEmpty()
                || !(api.read(ResourceType.NODE_POOL, new ObjectName("", pool))
                        instanceof ApiAnswer.Done(var object))) {
            return null;
        }
        Value at = object;
        for (var step : new String[] {"spec", "template", "spec", "expireAfter"}) {
            at = at instanceof Value.Mapping(_, var fields) ? fields.get(step) : null;
        }
        return at instanceof Value.Text(_, var text) ? text : null;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        transfers.close();
    }
}
