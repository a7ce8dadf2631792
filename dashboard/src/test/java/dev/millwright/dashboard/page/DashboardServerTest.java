package dev.millwright.dashboard.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.dashboard.picture.Answer;
import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.Lookback;
import dev.millwright.dashboard.picture.Picture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class DashboardServerTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final List<Action> asked = new ArrayList<>();
    private final PictureFeed feed = new PictureFeed(Picture.empty("first", NOON));
    private final HttpClient client = HttpClient.newHttpClient();
    private DashboardServer server;

    @BeforeEach
    void start() throws IOException {
        server = DashboardServer.start(0, feed, this::carryOut);
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        server.close();
    }

    private Controls.Outcome carryOut(Action action) {
        asked.add(action);
        return action instanceof Action.Interrupt(var node)
                ? new Controls.Outcome.Refused("there is no node " + node)
                : new Controls.Outcome.Done("done");
    }

    private HttpResponse<String> ask(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(server.address().resolve(path));
    }

    private HttpResponse<String> act(String body) throws Exception {
        return ask(
                to("/api/actions")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void thePageComesWithAPolicyThatNamesNoOtherHost() throws Exception {
        var answer = ask(to("/"));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("<h1>Millwright</h1>").doesNotContain("http://");
        assertThat(answer.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(
                        policy ->
                                assertThat(policy)
                                        .startsWith("default-src 'none'")
                                        .doesNotContain("unsafe"));
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValue("text/html; charset=utf-8");
    }

    @Test
    void whatIsNotThereIsNotThere() throws Exception {
        assertThat(ask(to("/../pom.xml")).statusCode()).isEqualTo(404);
        assertThat(ask(to("/index.html")).body())
                .isEqualTo("{\"error\":\"there is nothing at this path; the page is at /\"}");
    }

    @Test
    void theNewestPictureIsGiven() throws Exception {
        feed.show(Picture.empty("second", NOON));
        assertThat(ask(to("/api/picture")).body()).startsWith("{\"title\":\"second\"");
    }

    @Test
    void aHeadHasNoBody() throws Exception {
        var answer = ask(to("/api/picture").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void aStreamBeginsWithTheWholeAndGoesOnWithChanges() throws Exception {
        var lines = stream();
        assertThat(lines.readLine()).isEqualTo("event: picture");
        assertThat(lines.readLine()).startsWith("data: {\"title\":\"first\"");
        assertThat(lines.readLine()).isEmpty();
        feed.show(Picture.empty("second", NOON.plusSeconds(5)));
        assertThat(lines.readLine()).isEqualTo("event: change");
        assertThat(lines.readLine()).contains("\"at\":1767614405000");
    }

    @Test
    void aStreamSaysWhenAllIsOver() throws Exception {
        var lines = stream();
        server.close();
        assertThat(lines.lines()).contains("event: end");
    }

    @Test
    void thereAreNoMoreStreamsThanTheBound() throws Exception {
        for (var number = 0; number < DashboardServer.STREAMS_MAX; number++) {
            stream().readLine();
        }
        var refused = ask(to("/api/stream"));
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("32 watch already; close a tab");
    }

    private BufferedReader stream() throws Exception {
        InputStream body =
                client.send(to("/api/stream").build(), HttpResponse.BodyHandlers.ofInputStream())
                        .body();
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    @Test
    void anActionIsCarriedOut() throws Exception {
        var answer = act("{\"action\":\"freeze\",\"isFrozen\":true}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"message\":\"done\"}");
        assertThat(asked).containsExactly(new Action.Freeze(true));
    }

    @Test
    void anActionThatCannotBeDoneIsAConflict() throws Exception {
        var answer = act("{\"action\":\"interrupt\",\"node\":\"x\"}");
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).isEqualTo("{\"error\":\"there is no node x\"}");
    }

    @Test
    void badInputIsToldAndNotCarriedOut() throws Exception {
        assertThat(act("{\"action\":\"speed\",\"speed\":\"fast\"}").statusCode()).isEqualTo(400);
        assertThat(act("x".repeat(DashboardServer.BODY_BYTES_MAX + 1)).statusCode()).isEqualTo(413);
        assertThat(ask(to("/api/actions")).statusCode()).isEqualTo(405);
        assertThat(ask(to("/api/picture").POST(HttpRequest.BodyPublishers.noBody())).statusCode())
                .isEqualTo(405);
        assertThat(asked).isEmpty();
    }

    @Test
    void anotherSiteCannotAct() throws Exception {
        var answer =
                ask(
                        to("/api/actions")
                                .header("Content-Type", "application/json")
                                .header("Origin", "http://evil.example")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"action\":\"freeze\",\"isFrozen\":true}")));
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(asked).isEmpty();
    }

    @Test
    void aPageWithoutControlsOnlyShows() throws Exception {
        server.close();
        server = DashboardServer.start(0, new PictureFeed(Picture.empty("shown", NOON)), null);
        assertThat(ask(to("/api/picture")).body()).contains("\"isReadOnly\":true");
        assertThat(act("{\"action\":\"freeze\",\"isFrozen\":true}").statusCode()).isEqualTo(403);
    }

    @Test
    void aPortThatIsTakenIsToldWithAWayOut() {
        var taken = server.address().getPort();
        assertThatThrownBy(() -> DashboardServer.start(taken, feed, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("port %d on 127.0.0.1 cannot be had".formatted(taken))
                .hasMessageContaining("--port 0 for any that is free");
    }

    private static final Answers ANSWERS =
            new Answers() {
                @Override
                public Reply explain(Subject subject) {
                    return switch (subject.kind()) {
                        case POD ->
                                new Reply.Known(
                                        Answer.of("Pod " + subject.name(), "It waits.", List.of()));
                        case NODE -> new Reply.Busy("another question is being answered");
                    };
                }

                @Override
                public Reply decision(long number) {
                    return new Reply.Unknown("decision %d is too long ago".formatted(number));
                }
            };

    private void serve(Content content) throws IOException {
        server.close();
        server = DashboardServer.start(0, content);
    }

    private static Lookback reel() {
        var reel = new Lookback(Duration.ofSeconds(1));
        reel.add(Picture.empty("then", NOON.minusSeconds(60)));
        reel.add(Picture.empty("now", NOON));
        return reel;
    }

    @Test
    void whatIsAskedIsAnswered() throws Exception {
        serve(Content.live(feed).withAnswers(ANSWERS));
        var pod = ask(to("/api/explain?kind=pod&name=shop%2Fweb-1"));
        assertThat(pod.statusCode()).isEqualTo(200);
        assertThat(pod.body())
                .isEqualTo(
                        """
                        {"subject":"Pod shop/web-1","verdict":"It waits.","reasons":[],"changes":[],"note":""}""");
        var node = ask(to("/api/explain?kind=node&name=a"));
        assertThat(node.statusCode()).isEqualTo(503);
        assertThat(node.headers().firstValue("Retry-After")).hasValue("10");
        var decision = ask(to("/api/decision?number=7"));
        assertThat(decision.statusCode()).isEqualTo(404);
        assertThat(decision.body()).contains("decision 7 is too long ago");
    }

    @Test
    void aWrongQuestionIsToldWhatIsWanted() throws Exception {
        serve(Content.live(feed).withAnswers(ANSWERS));
        assertThat(ask(to("/api/explain?kind=cat&name=a")).body())
                .contains("kind: found \\\"cat\\\"; wanted pod or node");
        assertThat(ask(to("/api/explain?kind=pod")).body())
                .contains("name: found nothing; wanted a text");
        assertThat(ask(to("/api/decision?number=x")).statusCode()).isEqualTo(400);
        assertThat(ask(to("/api/decision?number=" + "1".repeat(3_000))).statusCode())
                .isEqualTo(400);
    }

    @Test
    void withoutAnswersNobodyCanSayWhy() throws Exception {
        assertThat(ask(to("/api/explain?kind=pod&name=a")).statusCode()).isEqualTo(404);
        assertThat(ask(to("/api/moments")).body())
                .isEqualTo("{\"hasReel\":false,\"hasAnswers\":false,\"isLive\":true,\"length\":0}");
    }

    @Test
    void whatWasCanBeSeenAgain() throws Exception {
        serve(Content.live(feed).withReel(reel()));
        assertThat(ask(to("/api/moments")).body())
                .isEqualTo(
                        "{\"hasReel\":true,\"hasAnswers\":false,\"isLive\":true,\"length\":2,\"first\":%d,\"last\":%d}"
                                .formatted(
                                        NOON.minusSeconds(60).toEpochMilli(), NOON.toEpochMilli()));
        assertThat(ask(to("/api/picture?at=0")).body()).contains("\"title\":\"then\"");
        assertThat(ask(to("/api/picture")).body()).contains("\"title\":\"first\"");
        var beyond = ask(to("/api/picture?at=2"));
        assertThat(beyond.statusCode()).isEqualTo(400);
        assertThat(beyond.body()).contains("at: found 2; wanted a whole number from 0 to 1");
    }

    @Test
    void aRecordBeginsWithItsLastPicture() throws Exception {
        serve(Content.recorded(reel()));
        assertThat(ask(to("/api/picture")).body())
                .contains("\"title\":\"now\"", "\"isReadOnly\":true");
        assertThat(ask(to("/api/moments")).body()).contains("\"isLive\":false");
    }

    @Test
    void inAClusterNothingCanBeChanged() throws Exception {
        server.close();
        server =
                DashboardServer.startInCluster(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Content.live(feed).withControls(this::carryOut));
        assertThat(act("{\"action\":\"freeze\",\"isFrozen\":true}").statusCode()).isEqualTo(403);
        assertThat(asked).isEmpty();
        assertThat(ask(to("/api/picture")).body()).contains("\"isReadOnly\":true");
    }
}
