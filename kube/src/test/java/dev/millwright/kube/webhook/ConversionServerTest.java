package dev.millwright.kube.webhook;

import static dev.millwright.kube.webhook.WebhookClient.answer;
import static dev.millwright.kube.webhook.WebhookClient.review;
import static dev.millwright.kube.webhook.WebhookClient.sendBody;
import static dev.millwright.kube.webhook.WebhookClient.sendHead;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;

final class ConversionServerTest {

    private static final int BYTES_MAX = 1_000;
    private static final int HEAD_BYTES = 300;
    private static final int ECHOED = 12;
    private static final byte[] QUESTION = review("a").getBytes(UTF_8);

    private ConversionServer server;
    private WebhookClient client;

    @BeforeEach
    void open() throws IOException {
        open(
                new ConversionServer.Bounds(
                        BYTES_MAX, HEAD_BYTES, Duration.ofSeconds(1), Duration.ofMinutes(1)));
    }

    private void open(ConversionServer.Bounds bounds) throws IOException {
        var credentials = WebhookClient.credentials();
        server =
                ConversionServer.open(
                        new FakeApi(InstantSource.system()), WebhookClient.anyPort(), bounds);
        server.use(credentials);
        client = new WebhookClient(credentials.bundle(), server.port());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void anObjectIsConverted() throws IOException {
        assertThat(client.ask(QUESTION))
                .startsWith("HTTP/1.1 200")
                .contains("\"apiVersion\":\"karpenter.sh/v1\"", "\"status\":\"Success\"");
    }

    @Test
    void aRequestBeyondTheBoundIsRefusedBeforeItsBodyIsRead() throws IOException {
        try (var socket = client.connect()) {
            sendHead(socket, "Content-Length: 100000000000");
            assertThat(answer(socket))
                    .startsWith("HTTP/1.1 413")
                    .contains("found 100000000000 bytes; wanted at most 1000");
        }
    }

    @Test
    void aRequestThatDoesNotSayItsLengthIsRefused() throws IOException {
        try (var socket = client.connect()) {
            sendHead(socket, "Transfer-Encoding: chunked");
            assertThat(answer(socket)).startsWith("HTTP/1.1 411").contains("Content-Length");
        }
    }

    @Test
    void whatIsNoJsonIsRefused() throws IOException {
        assertThat(client.ask("{".getBytes(UTF_8))).startsWith("HTTP/1.1 400");
    }

    @Test
    void aRequestThatIsStillBeingSentHoldsOffOthersAndIsAnsweredItself() throws IOException {
        var half = BYTES_MAX / 2;
        try (var slow = client.connect()) {
            sendHead(slow, "Content-Length: " + BYTES_MAX);
            sendBody(slow, Arrays.copyOf(padded(), half));

            assertThat(client.ask(QUESTION)).startsWith("HTTP/1.1 503").contains("come again");

            sendBody(slow, Arrays.copyOfRange(padded(), half, BYTES_MAX));
            assertThat(answer(slow)).startsWith("HTTP/1.1 200");
        }
        assertThat(client.ask(QUESTION)).startsWith("HTTP/1.1 200");
    }

    @Test
    void aSmallRequestWaitsForNoLargeOne() throws IOException {
        server.close();
        open(
                new ConversionServer.Bounds(
                        BYTES_MAX, QUESTION.length, Duration.ofSeconds(1), Duration.ofMinutes(1)));
        try (var slow = client.connect()) {
            sendHead(slow, "Content-Length: " + BYTES_MAX);
            sendBody(slow, Arrays.copyOf(padded(), BYTES_MAX - 1));

            assertThat(client.ask(QUESTION)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void aBodyThatDoesNotComeHoldsOffNobody() throws IOException {
        try (var silent = client.connect()) {
            sendHead(silent, "Content-Length: " + BYTES_MAX);
            sendBody(silent, Arrays.copyOf(padded(), HEAD_BYTES - 1));

            assertThat(client.ask(padded())).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void aBodyThatStopsComingIsCutOffBeforeThoseWhoWaitGiveUp() throws IOException {
        server.close();
        open(
                new ConversionServer.Bounds(
                        BYTES_MAX, HEAD_BYTES, Duration.ofMinutes(1), Duration.ofSeconds(2)));
        try (var slow = client.connect()) {
            sendHead(slow, "Content-Length: " + BYTES_MAX);
            sendBody(slow, Arrays.copyOf(padded(), BYTES_MAX / 2));

            assertThat(client.ask(QUESTION)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void anAnswerThatIsNotReadIsCutOffBeforeThoseWhoWaitGiveUp() throws IOException {
        server.close();
        var echo = echo();
        open(
                new ConversionServer.Bounds(
                        echo.length,
                        echo.length - 1,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(2)));
        try (var silent = client.connect()) {
            sendHead(silent, "Content-Length: " + echo.length);
            sendBody(silent, echo);

            assertThat(client.ask(spaced(echo.length))).startsWith("HTTP/1.1 200");
        }
    }

    /// Comes back as it is, and is more than the buffers of two sockets hold.
    private static byte[] echo() {
        var text = "a".repeat(1 << 20);
        var object = "{\"apiVersion\":\"v1\",\"text\":\"%s\"}".formatted(text);
        return "{\"request\":{\"desiredAPIVersion\":\"v1\",\"objects\":[%s]}}"
                .formatted(String.join(",", Collections.nCopies(ECHOED, object)))
                .getBytes(UTF_8);
    }

    private static byte[] padded() {
        return spaced(BYTES_MAX);
    }

    private static byte[] spaced(int length) {
        return (review("a") + " ".repeat(length - QUESTION.length)).getBytes(UTF_8);
    }

    @Test
    void theBoundFollowsTheHeapButTakesTheLargestObjectOfAnApiServer() {
        assertThat(ConversionServer.Bounds.ofHeap(1L << 30).bytesMax()).isEqualTo(16 << 20);
        assertThat(ConversionServer.Bounds.ofHeap(1L << 20).bytesMax()).isEqualTo(3 << 20);
        assertThat(ConversionServer.Bounds.ofHeap(1L << 40).bytesMax()).isEqualTo(128 << 20);
    }
}
