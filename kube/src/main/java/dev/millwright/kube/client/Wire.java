package dev.millwright.kube.client;

import dev.millwright.kube.time.Ticker;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Carries requests to the server and answers back. The library does what it is good at, which is
/// certificates, tokens and their renewal; it neither reads nor repeats anything.
final class Wire implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

    static {
        // Nobody listens to the library's own log, and it need not say so on standard error at each
        // start: what matters of it is told by our exceptions.
        var verbosity = "slf4j.internal.verbosity";
        if (System.getProperty(verbosity) == null) {
            System.setProperty(verbosity, "ERROR");
        }
    }

    private static final String JSON = "application/json";

    /// A question. An empty content type means that it has no body.
    record Request(String method, String path, String contentType, String body, String accept) {
        Request(String method, String path, String contentType, String body) {
            this(method, path, contentType, body, JSON);
        }

        static Request get(String path) {
            return new Request("GET", path, "", "");
        }

        /// Objects without all but their metadata.
        Request ofMetadata() {
            var partial = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
            return new Request(method, path, contentType, body, JSON + partial);
        }
    }

    /// The beginning of an answer, and the rest to be read. Closing it hangs up unless all was
    /// read.
    record Reply(int code, @Nullable String retryAfter, InputStream body) implements AutoCloseable {
        boolean isGood() {
            return code >= 200 && code < 300;
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /// Bounds of one exchange: until an answer begins, between two pieces of it, and of the whole.
    record Patience(Duration beginning, Duration silence, Duration whole) {}

    private final HttpClient client;
    private final String server;
    private final String namespace;
    private final String certificateAuthority;
    private final Ticker ticker;

    private Wire(HttpClient client, Config config, Ticker ticker) {
        this.client = client;
        this.server = withoutSlash(config.getMasterUrl());
        this.namespace = Objects.requireNonNullElse(config.getNamespace(), "default");
        this.certificateAuthority = authority(config);
        this.ticker = ticker;
    }

    /// @throws KubeAccessException when there is no way to the server
    static Wire open(KubeAccess access, String userAgent, Ticker ticker) {
        var config = AccessConfig.of(access, ticker);
        config.setUserAgent(userAgent);
        config.setConnectionTimeout(CONNECT_TIMEOUT_MILLIS);
        // The library would repeat writes that were perhaps done.
        config.setRequestRetryBackoffLimit(0);
        // One connection a watch: a connection that died in silence then takes one watch with it
        // and not everything, and a timeout gets rid of it.
        config.setHttp2Disable(true);
        try {
            var builder = new FewThreadsClients().newBuilder(config);
            if (!hasToken(config)) {
                // It would read the kubeconfig again before each request, looking for a token.
                builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, null);
            }
            return new Wire(builder.build(), config, ticker);
        } catch (RuntimeException unusable) {
            throw new KubeAccessException(
                    "%s: its certificates or its proxy cannot be used: %s"
                            .formatted(described(access), FailureWords.of(unusable)));
        }
    }

    /// In base 64, as kubeconfig files hold it; empty when the system decides whom to trust.
    private static String authority(Config config) {
        var data = config.getCaCertData();
        if (data != null) {
            return data.strip();
        }
        var file = config.getCaCertFile();
        if (file == null) {
            return "";
        }
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file)));
        } catch (IOException unreadable) {
            return ""; // The client has read it, or has said why it cannot.
        }
    }

    String server() {
        return server;
    }

    String certificateAuthority() {
        return certificateAuthority;
    }

    private static String described(KubeAccess access) {
        return switch (access) {
            case KubeAccess.Kubeconfig(var files, var context, _) ->
                    "kubeconfig %s, %s"
                            .formatted(
                                    files,
                                    context == null
                                            ? "current context"
                                            : "context \"" + context + "\"");
            case KubeAccess.InCluster(_, _, var directory, _) -> "service account " + directory;
        };
    }

    private static boolean hasToken(Config config) {
        return config.getOauthTokenProvider() != null
                || config.getAutoOAuthToken() != null
                || config.getAuthProvider() != null
                || config.getUsername() != null;
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    String namespace() {
        return namespace;
    }

    /// @throws IOException when no answer began: a write may have been done or not
    Reply send(Request request, Patience patience) throws IOException, InterruptedException {
        var begunNanos = ticker.nanos();
        var stream = new BodyStream();
        var sent = client.consumeBytes(built(request, patience), stream);
        var response = await(sent, patience.beginning());
        stream.open(
                response.body(),
                () -> {
                    var gone = Duration.ofNanos(ticker.nanos() - begunNanos);
                    var left = patience.whole().minus(gone);
                    return left.compareTo(patience.silence()) < 0 ? left : patience.silence();
                });
        return new Reply(response.code(), response.header("Retry-After"), stream);
    }

    private HttpRequest built(Request request, Patience patience) {
        var builder =
                client.newHttpRequestBuilder()
                        .uri(server + request.path())
                        .timeout(patience.whole().toMillis(), TimeUnit.MILLISECONDS)
                        .header("Accept", request.accept());
        return request.contentType().isEmpty()
                ? builder.method(request.method(), null, (String) null).build()
                : builder.method(request.method(), request.contentType(), request.body()).build();
    }

    /// A request we no longer wait for is dropped when its answer comes, or at its own timeout.
    private static HttpResponse<AsyncBody> await(
            Future<HttpResponse<AsyncBody>> sent, Duration timeout)
            throws IOException, InterruptedException {
        try {
            return sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            sent.cancel(true);
            throw interrupted;
        } catch (TimeoutException slow) {
            sent.cancel(true);
            throw new SocketTimeoutException("no answer began within " + timeout);
        } catch (ExecutionException failed) {
            var cause = failed.getCause();
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new IOException(FailureWords.of(cause == null ? failed : cause), cause);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    /// A few threads of the system's own for the callbacks of the JDK's client, which do not block.
    /// On virtual ones they would wait behind whatever computes there, and a lease with them.
    private static final class FewThreadsClients extends JdkHttpClientFactory {

        private static final int THREADS_MAX = 4;
        private static final Duration IDLE_MAX = Duration.ofSeconds(30);

        @Override
        protected java.net.http.HttpClient.Builder createNewHttpClientBuilder() {
            var threads =
                    new ThreadPoolExecutor(
                            THREADS_MAX,
                            THREADS_MAX,
                            IDLE_MAX.toMillis(),
                            TimeUnit.MILLISECONDS,
                            new LinkedBlockingQueue<>(), // As long as there are requests under way.
                            Thread.ofPlatform().daemon().name("kube-wire-", 1).factory());
            threads.allowCoreThreadTimeOut(true);
            return java.net.http.HttpClient.newBuilder().executor(threads);
        }
    }
}
