package dev.millwright.testing.e2e.addons;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.millwright.kube.certificate.Credentials;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A chart repository and an OCI registry behind one certificate of an own authority, with the
/// charts it is given. Under `private/` the registry asks for a login.
final class ChartServer implements AutoCloseable {

    static final String USER = "robot";
    static final String PASSWORD = "let-me-in-12345";

    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final Pattern MANIFESTS = Pattern.compile("/v2/(.+)/manifests/(.+)");
    private static final Pattern BLOBS = Pattern.compile("/v2/(.+)/blobs/(.+)");
    private static final Pattern TAGS = Pattern.compile("/v2/(.+)/tags/list");

    private final Credentials credentials;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    private final Map<String, Map<String, byte[]>> tags = new ConcurrentHashMap<>();

    ChartServer() {
        try {
            credentials = Credentials.founded(null, List.of("127.0.0.1"), Instant.now());
            server =
                    HttpsServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(context(credentials)));
            server.setExecutor(threads);
            server.createContext("/charts/", this::file);
            server.createContext("/v2/", this::registry);
            server.start();
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException("no server for charts", failure);
        }
    }

    private static SSLContext context(Credentials credentials)
            throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "server",
                credentials.key(),
                new char[0],
                new Certificate[] {credentials.certificate()});
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    String repository() {
        return "https://%s/charts".formatted(host());
    }

    String registry(String folder) {
        return "oci://%s/%s".formatted(host(), folder);
    }

    /// The certificate by which the server is trusted.
    String authority() {
        return credentials.bundle();
    }

    /// A file of Docker's with the login to the private part.
    String login() {
        var token =
                Base64.getEncoder()
                        .encodeToString("%s:%s".formatted(USER, PASSWORD).getBytes(UTF_8));
        return "{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}".formatted(host(), token);
    }

    /// Everything in a directory, which holds charts and their index.
    void serve(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            for (var each : all.toList()) {
                files.put(String.valueOf(each.getFileName()), Files.readAllBytes(each));
            }
        }
    }

    /// A packed chart, pushed.
    void push(String repository, String tag, byte[] chart) {
        var config = "{}".getBytes(UTF_8);
        var manifest =
                """
                {"schemaVersion":2,"mediaType":"%s",\
                "config":{"mediaType":"application/vnd.cncf.helm.config.v1+json","digest":"%s","size":%d},\
                "layers":[{"mediaType":"application/vnd.cncf.helm.chart.content.v1.tar+gzip","digest":"%s","size":%d}]}"""
                        .formatted(MANIFEST, blob(config), config.length, blob(chart), chart.length)
                        .getBytes(UTF_8);
        var all = tags.computeIfAbsent(repository, _ -> new ConcurrentHashMap<>());
        all.put(tag, manifest);
        all.put(digest(manifest), manifest);
    }

    private String blob(byte[] bytes) {
        var digest = digest(bytes);
        blobs.put(digest, bytes);
        return digest;
    }

    private static String digest(byte[] bytes) {
        try {
            var sum = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "sha256:" + HexFormat.of().formatHex(sum);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void file(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var bytes = files.get(path.substring(path.lastIndexOf('/') + 1));
        answer(exchange, bytes == null ? 404 : 200, "application/octet-stream", bytes);
    }

    private void registry(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var given = exchange.getRequestHeaders().getFirst("Authorization");
        var token =
                Base64.getEncoder()
                        .encodeToString("%s:%s".formatted(USER, PASSWORD).getBytes(UTF_8));
        if (path.startsWith("/v2/private/") && !("Basic " + token).equals(given)) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"charts\"");
            answer(exchange, 401, "text/plain", null);
            return;
        }
        var manifest = MANIFESTS.matcher(path);
        var blob = BLOBS.matcher(path);
        var listed = TAGS.matcher(path);
        if (manifest.matches()) {
            var bytes = tags.getOrDefault(manifest.group(1), Map.of()).get(manifest.group(2));
            if (bytes != null) {
                exchange.getResponseHeaders().set("Docker-Content-Digest", digest(bytes));
            }
            answer(exchange, bytes == null ? 404 : 200, MANIFEST, bytes);
        } else if (blob.matches()) {
            var bytes = blobs.get(blob.group(2));
            answer(exchange, bytes == null ? 404 : 200, "application/octet-stream", bytes);
        } else if (listed.matches()) {
            answer(exchange, 200, "application/json", list(listed.group(1)).getBytes(UTF_8));
        } else {
            answer(exchange, path.equals("/v2/") ? 200 : 404, "application/json", null);
        }
    }

    private String list(String repository) {
        var names = new ArrayList<String>();
        new TreeMap<>(tags.getOrDefault(repository, Map.of()))
                .keySet().stream().filter(each -> !each.contains(":")).forEach(names::add);
        return "{\"name\":\"%s\",\"tags\":[%s]}"
                .formatted(
                        repository,
                        names.stream().collect(Collectors.joining("\",\"", "\"", "\"")));
    }

    private static void answer(
            HttpExchange exchange, int code, String type, byte @Nullable [] bytes)
            throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", type);
            if (exchange.getRequestMethod().equals("HEAD")) {
                if (bytes != null) {
                    exchange.getResponseHeaders()
                            .set("Content-Length", Integer.toString(bytes.length));
                }
                exchange.sendResponseHeaders(code, -1);
            } else if (bytes == null) {
                exchange.sendResponseHeaders(code, -1);
            } else {
                exchange.sendResponseHeaders(code, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
