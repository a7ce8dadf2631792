package dev.millwright.dashboard.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.dashboard.picture.Picture;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;

/// Visitors who ask and do not read.
final class SlowReaderTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    /// More than the sockets of both sides hold.
    private static final int PICTURE_LENGTH = 16 << 20;

    private static final int READERS = 2 * DashboardServer.PICTURES_MAX;

    @Test
    void picturesThatAreNotReadKeepNoOtherVisitorWaiting() throws Exception {
        var feed = new PictureFeed(Picture.empty("x".repeat(PICTURE_LENGTH), NOON));
        var readers = new ArrayList<Socket>();
        try (var server = DashboardServer.start(0, feed, null);
                var client = HttpClient.newHttpClient()) {
            var address = server.address();
            var question =
                    "GET /api/picture HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
                            .formatted(address.getPort())
                            .getBytes(UTF_8);
            for (var count = 0; count < READERS; count++) {
                var reader = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
                readers.add(reader);
                reader.getOutputStream().write(question);
                assertThat(reader.getInputStream().read()).isEqualTo('H'); // Its answer has begun.
            }

            var answer =
                    client.send(
                            HttpRequest.newBuilder(address.resolve("/api/picture")).build(),
                            BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).hasSizeGreaterThan(PICTURE_LENGTH);
        } finally {
            for (var reader : readers) {
                reader.close();
            }
        }
    }

    /// Takes nothing until it is interrupted, as a socket whose other side does not read.
    private static final class FullSocket extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("closed").initCause(interrupted);
            }
        }
    }

    @Test
    void aWriteThatNobodyReadsIsEndedAndLeavesNoInterrupt() {
        try (var deadline = new WriteDeadline(Duration.ofMillis(50))) {
            var out = deadline.of(new FullSocket());
            assertThatThrownBy(() -> out.write(new byte[] {1}))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("the reader took longer");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void aWriteThatIsReadIsLeftAlone() throws IOException {
        try (var deadline = new WriteDeadline(Duration.ofSeconds(30))) {
            var read = new ByteArrayOutputStream();
            var out = deadline.of(read);
            out.write("all of it".getBytes(UTF_8));
            out.flush();
            assertThat(read.toString(UTF_8)).isEqualTo("all of it");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }
}
