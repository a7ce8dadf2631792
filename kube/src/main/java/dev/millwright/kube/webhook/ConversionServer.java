package dev.millwright.kube.webhook;

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
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/// Answers the API server's questions, over HTTPS, on any replica.
public final class ConversionServer implements AutoCloseable {

    /// Karpenter's paths are below it, by API group.
    public static final String PATH = "/conversion/";

    /// Bytes of one question; an API server sends a page of a list at most.
    private static final int QUESTION_MAX = 128 << 20;

    private static final int BACKLOG = 0;

    private final KubeApi api;
    private final RotatingKeys keys = new RotatingKeys();
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile @Nullable Credentials credentials;

    private ConversionServer(KubeApi api, HttpsServer server) {
        this.api = api;
        this.server = server;
    }

    /// @param port 0 for any that is free
    public static ConversionServer open(KubeApi api, int port) throws IOException {
        var made =
                new ConversionServer(api, HttpsServer.create(new InetSocketAddress(port), BACKLOG));
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
            var question = exchange.getRequestBody().readNBytes(QUESTION_MAX + 1);
            if (question.length > QUESTION_MAX) {
                exchange.sendResponseHeaders(413, -1);
                return;
            }
            Value.Mapping review;
            try {
                review = JsonReader.object(question);
            } catch (IOException notJson) {
                exchange.sendResponseHeaders(400, -1);
                return;
            }
            var known = new HashMap<String, @Nullable String>();
            var answer =
                    ConversionReview.answered(
                            review, pool -> known.computeIfAbsent(pool, this::expireAfter));
            var bytes = JsonWriter.bytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
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
    }
}
