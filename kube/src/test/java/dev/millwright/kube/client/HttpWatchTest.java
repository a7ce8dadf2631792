package dev.millwright.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;

import dev.millwright.kube.client.KubeApi.WatchEnd;
import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.KubeApi.WatchQuery;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

final class HttpWatchTest {

    private static final WatchQuery QUERY = new WatchQuery("", "", "", "7", Duration.ofMinutes(4));

    private final LocalServer server = new LocalServer();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<WatchEvent> heard = new CopyOnWriteArrayList<>();
    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final List<Integer> codes = new CopyOnWriteArrayList<>();
    private @TempDir Path directory;
    private HttpKubeApi api;

    @BeforeEach
    void open() {
        api = open(Duration.ofSeconds(30));
    }

    private HttpKubeApi open(Duration silenceMax) {
        return HttpKubeApi.open(
                server.access(directory),
                new ApiSettings("karpenter/test", Duration.ofSeconds(30), silenceMax, null),
                new RequestObserver() {
                    @Override
                    public void answered(ApiCall call, int code, Duration took) {
                        codes.add(code);
                    }

                    @Override
                    public void broke(ApiCall call, String message) {
                        broken.add(message);
                    }
                },
                Ticker.system(),
                Sleeper.system());
    }

    @AfterEach
    void close() {
        release.countDown();
        api.close();
        server.close();
    }

    private static Value.Mapping pod(String name, String version) {
        return Tree.of("kind", "Pod")
                .put("metadata", Tree.of("name", name).put("resourceVersion", version))
                .mapping();
    }

    private static String line(String type, String name, String version) {
        return ("{\"type\":\"%s\",\"object\":{\"kind\":\"Pod\",\"metadata\":"
                        + "{\"name\":\"%s\",\"resourceVersion\":\"%s\"}}}\n")
                .formatted(type, name, version);
    }

    private static void say(HttpExchange exchange, String text) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    private WatchEnd watch() {
        return api.watch(ResourceType.POD, QUERY, heard::add);
    }

    @Test
    void eventsAreHandedOnInOrderUntilTheServerEnds() {
        server.then(
                200,
                line("ADDED", "a", "8")
                        + line("MODIFIED", "a", "9")
                        + line("BOOKMARK", "", "10")
                        + line("NOVELTY", "a", "10")
                        + line("DELETED", "a", "11"));

        assertThat(watch()).isEqualTo(WatchEnd.CLOSED);
        assertThat(heard)
                .containsExactly(
                        new WatchEvent.Put(pod("a", "8")),
                        new WatchEvent.Put(pod("a", "9")),
                        new WatchEvent.Bookmark("10"),
                        new WatchEvent.Removed(pod("a", "11")));
        assertThat(server.asked().getFirst().path())
                .isEqualTo(
                        "/api/v1/pods?watch=true&allowWatchBookmarks=true"
                                + "&resourceVersion=7&timeoutSeconds=240");
        assertThat(codes).containsExactly(200);
    }

    @Test
    void anEventIsHandedOnWhileTheServerKeepsTheConnection() {
        server.then(
                exchange -> {
                    say(exchange, line("ADDED", "a", "8"));
                    await();
                });

        var end = api.watch(ResourceType.POD, QUERY, event -> false);

        assertThat(end).isEqualTo(WatchEnd.CLOSED);
        assertThat(broken).isEmpty();
    }

    @Test
    void aVersionTooOldIsToldAsExpiredHoweverItIsSaid() {
        server.then(410, "{\"reason\":\"Expired\"}")
                .then(200, "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}");

        assertThat(watch()).isEqualTo(WatchEnd.EXPIRED);
        assertThat(watch()).isEqualTo(WatchEnd.EXPIRED);
    }

    @Test
    void aResourceNobodyServesIsToldSo() {
        server.then(404, "404 page not found");

        assertThat(watch()).isEqualTo(WatchEnd.NOT_SERVED);
    }

    @Test
    void refusalsAndErrorsAreFailuresWithAReason() {
        server.then(403, "{\"reason\":\"Forbidden\",\"message\":\"no\"}")
                .then(200, "{\"type\":\"ERROR\",\"object\":{\"code\":500,\"message\":\"etcd\"}}");

        assertThat(watch()).isEqualTo(WatchEnd.FAILED);
        assertThat(watch()).isEqualTo(WatchEnd.FAILED);
        assertThat(broken).containsExactly("403 Forbidden: no", "the server ended the watch: etcd");
    }

    @Test
    void aConnectionThatBreaksInsideAnEventIsAFailure() {
        server.then(200, line("ADDED", "a", "8") + "{\"type\":\"MODI");

        assertThat(watch()).isEqualTo(WatchEnd.FAILED);
        assertThat(heard).hasSize(1);
    }

    @Test
    void aWatchThatFallsSilentIsBrokenOffAsFailed() {
        server.then(
                exchange -> {
                    say(exchange, line("ADDED", "a", "8"));
                    await();
                });
        try (var impatient = open(Duration.ofSeconds(2))) {
            assertThat(impatient.watch(ResourceType.POD, QUERY, heard::add))
                    .isEqualTo(WatchEnd.FAILED);
        }
        assertThat(heard).hasSize(1);
        assertThat(broken).containsExactly("the server fell silent inside an answer");
    }

    @Test
    void anInterruptEndsAWatchAndStaysSet() throws InterruptedException {
        server.then(
                exchange -> {
                    say(exchange, line("ADDED", "a", "8"));
                    await();
                });
        var ends = new CopyOnWriteArrayList<String>();
        var begun = new CountDownLatch(1);
        var thread =
                Thread.startVirtualThread(
                        () -> {
                            var end =
                                    api.watch(
                                            ResourceType.POD,
                                            QUERY,
                                            event -> {
                                                begun.countDown();
                                                return true;
                                            });
                            ends.add(end + " " + Thread.currentThread().isInterrupted());
                        });
        begun.await();
        thread.interrupt();
        thread.join();

        assertThat(ends).containsExactly("CLOSED true");
    }

    private void await() {
        try {
            release.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
