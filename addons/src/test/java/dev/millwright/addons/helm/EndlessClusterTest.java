package dev.millwright.addons.helm;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.Storage;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.certificate.Credentials;
import dev.millwright.kube.certificate.RotatingKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/// A cluster whose owner lets it answer without an end, looked at by a process with half the heap
/// that the chart gives the manager.
final class EndlessClusterTest {

    private static final ObjectName CLUSTER = new ObjectName("team", "c1");
    private static final String HEAP_MAX = "-Xmx512m";

    /// What ends a look here is the number of bytes, pages or values, however busy the machine is.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /// As many as the chart lets run side by side.
    private static final int LOOKS = 10;

    @TempDir private Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpsServer server;
    private Credentials credentials;

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        credentials = Credentials.founded(null, List.of("127.0.0.1"), Instant.now());
        var keys = new RotatingKeys();
        keys.use(credentials.identity());
        var tls = SSLContext.getInstance("TLS");
        tls.init(new KeyManager[] {keys}, null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @FunctionalInterface
    private interface Body {
        void write(OutputStream out) throws IOException;
    }

    private void answers(Body body) {
        server.createContext(
                "/",
                exchange -> {
                    asked.incrementAndGet();
                    try (exchange) {
                        exchange.sendResponseHeaders(200, 0);
                        body.write(exchange.getResponseBody());
                    } catch (IOException hungUp) {
                        // That is what is wanted of it.
                    }
                });
    }

    private static void forever(OutputStream out, String head, String each) throws IOException {
        out.write(head.getBytes(UTF_8));
        var bytes = each.repeat(4_096).getBytes(UTF_8);
        while (true) {
            out.write(bytes);
        }
    }

    private Path kubeconfig() throws IOException {
        var authority = Base64.getEncoder().encodeToString(credentials.bundle().getBytes(UTF_8));
        return Files.writeString(
                folder.resolve("kubeconfig"),
                """
                current-context: c
                contexts: [{name: c, context: {cluster: k, user: u}}]
                clusters: [{name: k, cluster: {server: 'https://127.0.0.1:%d', certificate-authority-data: %s}}]
                users: [{name: u, user: {token: t}}]
                """
                        .formatted(server.getAddress().getPort(), authority));
    }

    /// What ten looks at once came to, each other answer once.
    private String looks(String question) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                HEAP_MAX,
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Looks.class.getName(),
                                kubeconfig().toString(),
                                folder.toString(),
                                question)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var reader = process.inputReader(UTF_8)) {
            var begun = System.nanoTime();
            var answers = String.join("\n", reader.readAllLines());
            var millis = (System.nanoTime() - begun) / 1_000_000;
            assertThat(process.waitFor()).isZero();
            System.out.printf(
                    "%s: %d looks in %d ms, %d requests: %s%n",
                    question, LOOKS, millis, asked.get(), answers);
            return answers;
        } finally {
            process.destroyForcibly();
        }
    }

    /// The manager's side, in a process of its own.
    static final class Looks {

        private Looks() {}

        static void main(String[] arguments) throws Exception {
            var api = new FakeApi(InstantSource.system());
            var kubeconfig = Files.readAllBytes(Path.of(arguments[0]));
            api.put(
                    ResourceType.SECRET,
                    Tree.of("metadata", Tree.of("name", "c1-kubeconfig").put("namespace", "team"))
                            .put(
                                    "data",
                                    Tree.of(
                                            "value",
                                            Base64.getEncoder().encodeToString(kubeconfig)))
                            .mapping());
            var workloads =
                    new Workloads(
                            new ManagementSecrets(api),
                            Path.of(arguments[1]),
                            InstantSource.system(),
                            Workloads.settings(PATIENCE, PATIENCE));
            Callable<String> look =
                    arguments[2].equals("contents")
                            ? () ->
                                    workloads
                                            .contents(CLUSTER, new ReleaseId("web", "web"), 1)
                                            .toString()
                            : () -> told(workloads.releases(CLUSTER));
            var answers = new TreeSet<String>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (var each : threads.invokeAll(Collections.nCopies(LOOKS, look))) {
                    answers.add(each.get());
                }
            }
            answers.forEach(System.out::println);
            System.exit(0);
        }

        private static String told(Storage.Look look) {
            return look instanceof Storage.Look.Seen(var releases)
                    ? "seen " + releases.size()
                    : String.valueOf(look);
        }
    }

    @Test
    void pagesWithoutAnEndAreGivenUp() throws Exception {
        answers(
                out ->
                        out.write(
                                "{\"metadata\":{\"continue\":\"on\"},\"items\":[{\"metadata\":{\"name\":\"a\",\"namespace\":\"b\"}}]}"
                                        .getBytes(UTF_8)));
        var seen = looks("releases");
        assertThat(seen).contains("more than 200 pages").doesNotContain("seen");
        assertThat(asked.get()).isEqualTo(200 * LOOKS);
    }

    @Test
    void aPageWithoutAnEndIsGivenUp() throws Exception {
        answers(out -> forever(out, "{\"items\":[{\"metadata\":{\"name\":\"a\",\"x\":[", "{},"));
        var seen = looks("releases");
        assertThat(seen).contains("more values").doesNotContain("seen");
    }

    @Test
    void aTextWithoutAnEndIsGivenUp() throws Exception {
        answers(out -> forever(out, "{\"metadata\":{\"continue\":\"", "endless "));
        var seen = looks("releases");
        assertThat(seen).contains("longer ones").doesNotContain("seen");
    }

    @Test
    void bytesOfManyPagesAreCountedTogether() throws Exception {
        var padding = " ".repeat(1 << 20);
        answers(
                out ->
                        out.write(
                                ("{\"metadata\":{\"continue\":\"on\"},\"items\":[]" + padding + "}")
                                        .getBytes(UTF_8)));
        var seen = looks("releases");
        assertThat(seen).contains("more than 33554432 bytes in all");
        assertThat(asked.get()).isEqualTo(32 * LOOKS);
    }

    @Test
    void aReleaseThatUnpacksToHundredsOfMegabytesIsGivenUp() throws Exception {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            var zeros = "0,".repeat(1 << 16).getBytes(UTF_8);
            gzip.write("{\"config\":[".getBytes(UTF_8));
            for (var count = 0; count < 2_048; count++) {
                gzip.write(zeros);
            }
            gzip.write("0]}".getBytes(UTF_8));
        }
        var once = Base64.getEncoder().encode(packed.toByteArray());
        var body =
                "{\"metadata\":{\"name\":\"x\"},\"data\":{\"release\":\"%s\"}}"
                        .formatted(Base64.getEncoder().encodeToString(once));
        answers(out -> out.write(body.getBytes(UTF_8)));
        var seen = looks("contents");
        assertThat(seen).contains("it is not what Helm writes");
    }
}
