package dev.millwright.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.time.Ticker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

final class HttpKubeApiTest {

    private static final ObjectName WEB = new ObjectName("shop", "web");
    private static final ObjectName NODE = new ObjectName("", "node-1");

    private final LocalServer server = new LocalServer();
    private final List<String> metered = new CopyOnWriteArrayList<>();
    private final List<Duration> slept = new ArrayList<>();
    private @TempDir Path directory;
    private HttpKubeApi api;

    @BeforeEach
    void open() {
        api = open(Duration.ofSeconds(30));
    }

    private HttpKubeApi open(Duration requestTimeout) {
        return HttpKubeApi.open(
                server.access(directory),
                new ApiSettings("karpenter/1.2.3", requestTimeout, Duration.ofSeconds(30), null),
                new RequestObserver() {
                    @Override
                    public void answered(ApiCall call, int code, Duration took) {
                        metered.add(
                                "%s %s %s %d"
                                        .formatted(
                                                call.verb(),
                                                call.type(),
                                                call.subresource(),
                                                code));
                    }
                },
                Ticker.system(),
                slept::add);
    }

    @AfterEach
    void close() {
        api.close();
        server.close();
    }

    @Test
    void anObjectIsReadByItsPath() {
        server.then(200, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"}}");

        var answer = api.read(ResourceType.POD, WEB);

        assertThat(answer)
                .isEqualTo(
                        new ApiAnswer.Done(
                                Tree.of("kind", "Pod")
                                        .put("metadata", Tree.of("name", "web"))
                                        .mapping()));
        assertThat(server.asked())
                .containsExactly(
                        new LocalServer.Asked(
                                "GET",
                                "/api/v1/namespaces/shop/pods/web",
                                "karpenter/1.2.3",
                                "null",
                                ""));
        assertThat(metered).containsExactly("GET pods  200");
    }

    @Test
    void objectsOfNamedGroupsAndOfNoNamespaceHaveTheirOwnPaths() {
        server.then(200, "{}").then(200, "{}");

        api.read(ResourceType.NODE, NODE);
        api.read(ResourceType.NODE_CLAIM, new ObjectName("", "default-x"));

        assertThat(server.asked())
                .extracting(LocalServer.Asked::path)
                .containsExactly(
                        "/api/v1/nodes/node-1", "/apis/karpenter.sh/v1/nodeclaims/default-x");
    }

    @Test
    void theServerTellsItsVersion() {
        server.then(200, "{\"major\":\"1\",\"minor\":\"31+\"}");

        assertThat(api.version())
                .isEqualTo(new ApiAnswer.Done(Tree.of("major", "1").put("minor", "31+").mapping()));
        assertThat(server.asked()).extracting(LocalServer.Asked::path).containsExactly("/version");
    }

    @Test
    void aRefusalHasTheWordsOfItsStatus() {
        server.then(404, "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"message\":\"no web\"}");

        var answer = api.read(ResourceType.POD, WEB);

        assertThat(answer).isEqualTo(new ApiAnswer.Refused(404, "NotFound", "no web"));
        assertThat(answer.isNotFound()).isTrue();
    }

    @Test
    void aRefusalThatIsNoStatusIsQuoted() {
        server.then(502, "<html>bad gateway</html>");

        assertThat(api.read(ResourceType.POD, WEB))
                .isEqualTo(new ApiAnswer.Refused(502, "", "<html>bad gateway</html>"));
    }

    @Test
    void aCreatedObjectIsPostedToItsNamespace() {
        server.then(201, "{\"kind\":\"Pod\"}");

        var answer =
                api.write(
                        new ApiWrite.Create(
                                ResourceType.POD, "shop", Tree.of("kind", "Pod").mapping()));

        assertThat(answer.isDone()).isTrue();
        assertThat(server.asked())
                .containsExactly(
                        new LocalServer.Asked(
                                "POST",
                                "/api/v1/namespaces/shop/pods",
                                "karpenter/1.2.3",
                                "application/json",
                                "{\"kind\":\"Pod\"}"));
        assertThat(metered).containsExactly("CREATE pods  201");
    }

    @Test
    void aPatchNamesItsKindAndItsPart() {
        server.then(200, "{}");

        api.write(
                new ApiWrite.Patch(
                        ResourceType.NODE,
                        NODE,
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.STATUS,
                        Tree.of("status", Tree.of()).mapping()));

        assertThat(server.asked())
                .containsExactly(
                        new LocalServer.Asked(
                                "PATCH",
                                "/api/v1/nodes/node-1/status",
                                "karpenter/1.2.3",
                                "application/merge-patch+json",
                                "{\"status\":{}}"));
        assertThat(metered).containsExactly("PATCH nodes status 200");
    }

    @Test
    void aDeleteNamesTheUidAndTheGraceItMeans() {
        server.then(200, "{}");

        api.write(new ApiWrite.Delete(ResourceType.POD, WEB, "u-1", 0L));

        assertThat(server.asked().getFirst().method()).isEqualTo("DELETE");
        assertThat(server.asked().getFirst().body())
                .isEqualTo(
                        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\","
                                + "\"preconditions\":{\"uid\":\"u-1\"},\"gracePeriodSeconds\":0}");
    }

    @Test
    void anEvictionThatABudgetRefusesIsTooManyRequestsAndNotTriedAgain() {
        server.then(LocalServer.putOff(429, "10"));

        var answer = api.write(new ApiWrite.Evict(WEB, "u-1"));

        assertThat(answer.isTooManyRequests()).isTrue();
        assertThat(server.asked()).hasSize(1);
        assertThat(server.asked().getFirst().path())
                .isEqualTo("/api/v1/namespaces/shop/pods/web/eviction");
        assertThat(server.asked().getFirst().body())
                .isEqualTo(
                        "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\","
                                + "\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},"
                                + "\"deleteOptions\":{\"apiVersion\":\"v1\","
                                + "\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"u-1\"}}}");
        assertThat(metered).containsExactly("CREATE pods eviction 429");
    }

    @Test
    void aReadThatIsPutOffIsTriedAgainWhenTheServerSaid() {
        server.then(LocalServer.putOff(429, "2"))
                .then(LocalServer.putOff(503, "1"))
                .then(200, "{}");

        assertThat(api.read(ResourceType.POD, WEB).isDone()).isTrue();
        assertThat(slept).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(1));
    }

    @Test
    void aReadIsTriedAgainThreeTimesAtMost() {
        server.then(LocalServer.putOff(429, "1"))
                .then(LocalServer.putOff(429, "1"))
                .then(LocalServer.putOff(429, "1"))
                .then(LocalServer.putOff(429, "1"));

        assertThat(api.read(ResourceType.POD, WEB).isTooManyRequests()).isTrue();
        assertThat(server.asked()).hasSize(4);
    }

    @Test
    void aReadThatIsPutOffForLongIsAnsweredAtOnce() {
        server.then(LocalServer.putOff(429, "3600"));

        assertThat(api.read(ResourceType.POD, WEB).isTooManyRequests()).isTrue();
        assertThat(slept).isEmpty();
    }

    @Test
    void aWriteWhoseConnectionBrokeIsUnreachableAndNotSentTwice() {
        server.then(LocalServer.hangUp());

        var answer = api.write(new ApiWrite.Create(ResourceType.POD, "shop", Tree.of().mapping()));

        assertThat(answer).isInstanceOf(ApiAnswer.Unreachable.class);
        assertThat(server.asked()).hasSize(1);
        assertThat(metered).containsExactly("CREATE pods  0");
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() {
        server.close();

        var answer = api.read(ResourceType.POD, WEB);

        assertThat(answer).isInstanceOf(ApiAnswer.Unreachable.class);
        assertThat(answer.explain()).doesNotContain("very-secret");
    }

    @Test
    void aServerThatHangsIsGivenUp() throws InterruptedException {
        var release = new CountDownLatch(1);
        server.then(exchange -> await(release));
        try (var hasty = open(Duration.ofMillis(100))) {
            assertThat(hasty.read(ResourceType.POD, WEB)).isInstanceOf(ApiAnswer.Unreachable.class);
        } finally {
            release.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anInterruptedCallBreaksAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        var answer = api.read(ResourceType.POD, WEB);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer).isInstanceOf(ApiAnswer.Unreachable.class);
    }

    @Test
    void aPageHasItsItemsWithTheirKindAndWhereToGoOn() {
        server.then(
                200,
                """
                {"kind": "PodList", "apiVersion": "v1",
                 "metadata": {"resourceVersion": "42", "continue": "abc"},
                 "items": [{"metadata": {"name": "a"}}]}
                """);

        var query = new ListQuery("", "app in (a,b)", "spec.nodeName=n", 500, "x/y=");
        var answer = api.list(ResourceType.POD, query);

        assertThat(answer)
                .isEqualTo(
                        new ListAnswer.Page(
                                List.of(
                                        Tree.of("apiVersion", "v1")
                                                .put("kind", "Pod")
                                                .put("metadata", Tree.of("name", "a"))
                                                .mapping()),
                                "42",
                                "abc"));
        assertThat(server.asked().getFirst().path())
                .isEqualTo(
                        "/api/v1/pods?labelSelector=app%20in%20%28a%2Cb%29"
                                + "&fieldSelector=spec.nodeName%3Dn&limit=500&continue=x%2Fy%3D");
    }

    @Test
    void aListSaysWhetherItExpiredIsNotServedOrFailed() {
        server.then(410, "{\"reason\":\"Expired\",\"message\":\"too old\"}")
                .then(404, "404 page not found")
                .then(403, "{\"reason\":\"Forbidden\",\"message\":\"no\"}")
                .then(200, "{\"items\": [{]");

        assertThat(list()).isEqualTo(new ListAnswer.Expired("too old"));
        assertThat(list()).isEqualTo(new ListAnswer.NotServed());
        assertThat(list()).isEqualTo(new ListAnswer.Failed("403 Forbidden: no"));
        assertThat(list()).isInstanceOf(ListAnswer.Failed.class);
    }

    private ListAnswer list() {
        return api.list(ResourceType.NODE_POOL, ListQuery.all(500));
    }

    @Test
    void aStrangersServerHasABudgetOfBytesForAllItsAnswers() {
        var body = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"}}";
        try (var foreign =
                HttpKubeApi.open(
                        server.access(directory),
                        ApiSettings.ofForeign(
                                "test",
                                Duration.ofSeconds(30),
                                new ApiSettings.Budget(
                                        body.length() * 3L / 2, Duration.ofSeconds(30))),
                        RequestObserver.NONE)) {
            server.then(200, body).then(200, body);

            assertThat(foreign.read(ResourceType.POD, WEB)).isInstanceOf(ApiAnswer.Done.class);
            assertThat(foreign.read(ResourceType.POD, WEB).explain()).contains("bytes in all");
        }
    }

    @Test
    void aStrangersServerThatSendsAByteNowAndThenIsLeft() {
        try (var foreign =
                HttpKubeApi.open(
                        server.access(directory),
                        ApiSettings.ofForeign(
                                "test",
                                Duration.ofSeconds(30),
                                new ApiSettings.Budget(1 << 20, Duration.ofSeconds(1))),
                        RequestObserver.NONE)) {
            server.then(
                    exchange -> {
                        exchange.sendResponseHeaders(200, 0);
                        for (var count = 0; count < 600; count++) {
                            exchange.getResponseBody().write(' ');
                            exchange.getResponseBody().flush();
                            pause();
                        }
                    });
            var begun = Ticker.system().nanos();

            assertThat(foreign.read(ResourceType.POD, WEB))
                    .isInstanceOf(ApiAnswer.Unreachable.class);
            assertThat(foreign.read(ResourceType.POD, WEB).explain()).contains("longer than 1 s");
            assertThat(Duration.ofNanos(Ticker.system().nanos() - begun))
                    .isLessThan(Duration.ofSeconds(20));
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
