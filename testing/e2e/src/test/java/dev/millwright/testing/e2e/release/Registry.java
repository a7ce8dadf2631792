package dev.millwright.testing.e2e.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// A registry by the OCI's distribution API that takes pushes from those who log in, and keeps all
/// in a folder. It refuses a manifest of which it lacks a part, as registries do.
final class Registry implements AutoCloseable {

    private static final String LOGIN =
            Base64.getEncoder().encodeToString("robot:let-me-in".getBytes(UTF_8));
    private static final String TOKEN = "a-token-for-a-quarter-of-an-hour";
    private static final Pattern MANIFESTS = Pattern.compile("/v2/(.+)/manifests/(.+)");
    private static final Pattern UPLOADS = Pattern.compile("/v2/(.+)/blobs/uploads/(\\d*)");
    private static final Pattern BLOBS = Pattern.compile("/v2/(.+)/blobs/(sha256:[0-9a-f]{64})");
    private static final Pattern DIGEST =
            Pattern.compile("\"digest\"\\s*:\\s*\"(sha256:[0-9a-f]{64})\"");
    private static final Pattern TYPE = Pattern.compile("\"mediaType\"\\s*:\\s*\"([^\"]+)\"");

    private final Path blobs;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger uploads = new AtomicInteger();

    /// Digests by repository and tag, as in `acme/shop:v1`.
    private final Map<String, String> tags = new ConcurrentHashMap<>();

    Registry(Path folder) throws IOException {
        blobs = Files.createDirectories(folder.resolve("blobs/sha256"));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/token", this::token);
        server.createContext("/v2/", this::registry);
        server.start();
    }

    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /// A file of Docker's with the login.
    String login() {
        return "{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}".formatted(host(), LOGIN);
    }

    @Nullable String digest(String repository, String tag) {
        return tags.get(repository + ":" + tag);
    }

    String text(String digest) throws IOException {
        return Files.readString(file(digest), UTF_8);
    }

    private Path file(String digest) {
        return blobs.resolve(digest.substring("sha256:".length()));
    }

    private void token(HttpExchange exchange) throws IOException {
        var isKnown = ("Basic " + LOGIN).equals(header(exchange, "Authorization"));
        answer(
                exchange,
                isKnown ? 200 : 401,
                "application/json",
                "{\"token\":\"%s\"}".formatted(TOKEN));
    }

    private void registry(HttpExchange exchange) throws IOException {
        if (!("Bearer " + TOKEN).equals(header(exchange, "Authorization"))) {
            var challenge = "Bearer realm=\"http://%s/token\",service=\"test\"".formatted(host());
            exchange.getResponseHeaders().set("WWW-Authenticate", challenge);
            answer(exchange, 401, "application/json", "{}");
            return;
        }
        var path = exchange.getRequestURI().getPath();
        var upload = UPLOADS.matcher(path);
        var manifest = MANIFESTS.matcher(path);
        var blob = BLOBS.matcher(path);
        if (upload.matches()) {
            upload(exchange, upload.group(1));
        } else if (manifest.matches()) {
            manifest(exchange, manifest.group(1), manifest.group(2));
        } else if (blob.matches()) {
            give(exchange, blob.group(2), "application/octet-stream");
        } else {
            answer(exchange, path.equals("/v2/") ? 200 : 404, "application/json", "{}");
        }
    }

    private void upload(HttpExchange exchange, String repository) throws IOException {
        if (exchange.getRequestMethod().equals("POST")) {
            var place = "/v2/%s/blobs/uploads/%d".formatted(repository, uploads.incrementAndGet());
            exchange.getResponseHeaders().set("Location", place);
            answer(exchange, 202, "application/json", "");
            return;
        }
        var content = exchange.getRequestBody().readAllBytes();
        var isWhole = ("digest=" + digest(content)).equals(exchange.getRequestURI().getQuery());
        if (isWhole) {
            Files.write(file(digest(content)), content);
        }
        answer(exchange, isWhole ? 201 : 400, "application/json", "");
    }

    private void manifest(HttpExchange exchange, String repository, String reference)
            throws IOException {
        if (!exchange.getRequestMethod().equals("PUT")) {
            var digest = reference.contains(":") ? reference : digest(repository, reference);
            give(exchange, digest, digest == null ? "" : type(digest));
            return;
        }
        var content = exchange.getRequestBody().readAllBytes();
        var isWhole =
                DIGEST.matcher(new String(content, UTF_8))
                        .results()
                        .allMatch(part -> Files.exists(file(part.group(1))));
        var digest = digest(content);
        if (isWhole) {
            Files.write(file(digest), content);
            tags.put(repository + ":" + reference, digest);
            exchange.getResponseHeaders().set("Docker-Content-Digest", digest);
            exchange.getResponseHeaders()
                    .set("Location", "/v2/%s/manifests/%s".formatted(repository, digest));
        }
        answer(exchange, isWhole ? 201 : 400, "application/json", "");
    }

    /// A manifest says its own type, first of all or after its parts.
    private String type(String digest) throws IOException {
        var text = Files.exists(file(digest)) ? text(digest) : "";
        var kind = text.contains("\"manifests\"") ? "index" : "manifest";
        var found =
                TYPE.matcher(text)
                        .results()
                        .map(type -> type.group(1))
                        .filter(type -> type.contains("." + kind + "."))
                        .findFirst();
        return found.orElse("application/vnd.oci.image.%s.v1+json".formatted(kind));
    }

    private void give(HttpExchange exchange, @Nullable String digest, String type)
            throws IOException {
        if (digest == null || !Files.exists(file(digest))) {
            answer(exchange, 404, "application/json", "{}");
            return;
        }
        var content = Files.readAllBytes(file(digest));
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Docker-Content-Digest", digest);
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", content.length + "");
                exchange.sendResponseHeaders(200, -1);
            } else {
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        }
    }

    private static @Nullable String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    private static void answer(HttpExchange exchange, int code, String type, String text)
            throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", type);
            var bytes = text.getBytes(UTF_8);
            var hasBody = bytes.length > 0 && !exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(code, hasBody ? bytes.length : -1);
            if (hasBody) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    static String digest(byte[] bytes) {
        try {
            var sum = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "sha256:" + HexFormat.of().formatHex(sum);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
