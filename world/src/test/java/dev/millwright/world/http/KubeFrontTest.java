package dev.millwright.world.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.kind.Kinds;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/// What goes over the wire. What kubectl makes of it is proved with the real one, in `testing/e2e`.
final class KubeFrontTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Agenda agenda = new Agenda(START);
    private final ApiStore store = new ApiStore(agenda, Chance.of(1));
    private final HttpClient client = HttpClient.newHttpClient();
    private KubeFront front;

    /// One at a time is all a thread of its own would give.
    private static final class InTurn implements WorldThread {
        @Override
        public synchronized <T> T ask(Supplier<T> question) {
            return question.get();
        }
    }

    @BeforeEach
    void open() throws IOException {
        front = KubeFront.open(store, agenda, new InTurn(), 0);
    }

    @AfterEach
    void close() {
        front.close();
        client.close();
    }

    private void createMap(String name) {
        store.write(
                "test",
                new ApiWrite.Create(
                        Kinds.CONFIG_MAP,
                        "default",
                        Tree.of("metadata", Tree.of("name", name)).mapping()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(front.address() + path));
    }

    private String sent(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private String got(String path) throws IOException, InterruptedException {
        return sent(request(path));
    }

    @Test
    void objectsAreListedAndRead() throws Exception {
        createMap("a");
        assertThat(got("/api/v1/namespaces/default/configmaps"))
                .startsWith("200 ")
                .contains("\"kind\":\"ConfigMapList\"")
                .contains("\"name\":\"a\"");
        assertThat(got("/api/v1/configmaps?labelSelector=x")).doesNotContain("\"name\":\"a\"");
        assertThat(got("/api/v1/namespaces/default/configmaps/a")).startsWith("200 ");
        assertThat(got("/api/v1/namespaces/default/configmaps/b"))
                .startsWith("404 ")
                .contains("\"reason\":\"NotFound\"");
        assertThat(got("/api/v1/namespaces/default")).startsWith("200 ").contains("\"Namespace\"");
        assertThat(got("/apis/nobody.example/v1/things")).startsWith("404 ");
    }

    @Test
    void agesAreThoseOfTheWorld() throws Exception {
        createMap("a");
        agenda.runUntil(START.plus(Duration.ofMinutes(75)));
        var table =
                sent(
                        request("/api/v1/namespaces/default/configmaps/a")
                                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"));
        assertThat(table).contains("\"kind\":\"Table\"").contains("[\"a\",\"75m\"]");
    }

    @Test
    void objectsAreMadeChangedAndDeleted() throws Exception {
        var maps = "/api/v1/namespaces/default/configmaps";
        var body = HttpRequest.BodyPublishers.ofString("{\"metadata\":{\"name\":\"a\"}}");
        assertThat(sent(request(maps).POST(body))).startsWith("201 ");
        var patch = HttpRequest.BodyPublishers.ofString("{\"data\":{\"a\":\"1\"}}");
        assertThat(
                        sent(
                                request(maps + "/a")
                                        .header("Content-Type", "application/merge-patch+json")
                                        .method("PATCH", patch)))
                .startsWith("200 ")
                .contains("\"a\":\"1\"");
        var apply = HttpRequest.BodyPublishers.ofString("{}");
        assertThat(
                        sent(
                                request(maps + "/a")
                                        .header("Content-Type", "application/apply-patch+yaml")
                                        .method("PATCH", apply)))
                .startsWith("415 ");
        assertThat(sent(request(maps + "/a").DELETE())).startsWith("200 ");
        var broken = HttpRequest.BodyPublishers.ofString("{\"metadata\":");
        assertThat(sent(request(maps).POST(broken))).startsWith("400 ");
    }

    @Test
    void aWatchTellsLineByLine() throws Exception {
        createMap("a");
        var version = store.version() - 1;
        var path =
                "/api/v1/configmaps?watch=true&timeoutSeconds=1&allowWatchBookmarks=true"
                        + "&resourceVersion="
                        + version;
        assertThat(got(path).lines().toList())
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first).contains("\"type\":\"ADDED\""),
                        last -> assertThat(last).contains("\"type\":\"BOOKMARK\""));
        store.forget(Kinds.CONFIG_MAP);
        assertThat(got(path)).contains("\"type\":\"ERROR\"").contains("410");
    }

    @Test
    void whatABrowserCarriesHereIsRefused() throws Exception {
        assertThat(sent(request("/api").header("Origin", "https://example.test")))
                .startsWith("403 ");
        assertThat(raw("GET /api HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n\r\n"))
                .contains(" 403 ");
    }

    private String raw(String request) throws IOException {
        var address = URI.create(front.address());
        try (var socket = new Socket(address.getHost(), address.getPort());
                var reader =
                        new BufferedReader(
                                new InputStreamReader(
                                        socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return String.valueOf(reader.readLine());
        }
    }

    @Test
    void agesAreSaidInTwoUnitsWhileBothMatter() {
        assertThat(Age.words(Duration.ofSeconds(119))).isEqualTo("119s");
        assertThat(Age.words(Duration.ofSeconds(150))).isEqualTo("2m30s");
        assertThat(Age.words(Duration.ofMinutes(90))).isEqualTo("90m");
        assertThat(Age.words(Duration.ofMinutes(190))).isEqualTo("3h10m");
        assertThat(Age.words(Duration.ofHours(30))).isEqualTo("30h");
        assertThat(Age.words(Duration.ofHours(50))).isEqualTo("2d2h");
        assertThat(Age.words(Duration.ofDays(40))).isEqualTo("40d");
    }

    @Test
    void columnsAreFoundByTheirPaths() {
        var ready = Tree.of("type", "Ready").put("status", "True").mapping();
        var labels = Tree.of("node.kubernetes.io/instance-type", "m5.large");
        var object =
                Tree.of("metadata", Tree.of("labels", labels))
                        .put("status", Tree.of().putList("conditions", List.of(ready)))
                        .mapping();
        assertThat(PrinterPath.find(object, ".status.conditions[?(@.type==\"Ready\")].status"))
                .isEqualTo(Tree.text("True"));
        assertThat(PrinterPath.find(object, ".status.conditions[*].type"))
                .isEqualTo(Tree.text("Ready"));
        assertThat(
                        PrinterPath.find(
                                object, ".metadata.labels.node\\.kubernetes\\.io/instance-type"))
                .isEqualTo(Tree.text("m5.large"));
        assertThat(PrinterPath.find(object, ".spec.none")).isNull();
    }
}
