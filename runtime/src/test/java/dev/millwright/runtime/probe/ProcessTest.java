package dev.millwright.runtime.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.runtime.log.JsonLog;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.log.LogOutputs;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.testing.kit.log.RecordingLog;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

final class ProcessTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Instant now = Instant.parse("2026-01-02T03:04:05.678Z");

    private JsonLog log() {
        var outputs = new LogOutputs(List.of(out));
        return new JsonLog(new JsonLog.Shape(LogLevel.INFO, outputs, outputs, "abc"), () -> now);
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /// The status of a probe while this is wrong.
    private static int status(String path, @Nullable String problem) throws Exception {
        var nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var content =
                new ProbeServer.Content(
                        new Metrics(List.of()),
                        List.of(),
                        List.of(new Check("manager", () -> problem)),
                        false);
        try (var server =
                        ProbeServer.start(
                                new ProbeServer.Addresses(nowhere, nowhere),
                                content,
                                new RecordingLog());
                var client = HttpClient.newHttpClient()) {
            var address = "http://127.0.0.1:%d%s".formatted(server.healthPort(), path);
            var request = HttpRequest.newBuilder(URI.create(address)).build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    @Tag("M63")
    void aProcessThatAnswersIsAlive() throws Exception {
        assertThat(status("/healthz", "caches are filling")).isEqualTo(200);
    }

    @Test
    @Tag("M64")
    void aProcessIsReadyOnceItsChecksHold() throws Exception {
        assertThat(status("/readyz", "caches are filling")).isEqualTo(500);
        assertThat(status("/readyz", null)).isEqualTo(200);
    }

    @Test
    @Tag("M65")
    void aLineOfTheLogHasKarpentersKeys() {
        log().named("provisioner").warn("odd", "pool", "default");
        assertThat(lines())
                .containsExactly(
                        "{\"level\":\"WARN\",\"time\":\"2026-01-02T03:04:05.678Z\",\"logger\":\"controller.provisioner\",\"message\":\"odd\",\"commit\":\"abc\",\"pool\":\"default\"}");
    }

    @Test
    @Tag("M66")
    void ofOneMessageAHundredLinesASecondAreWrittenThenEveryHundredth() {
        var log = log();
        IntStream.range(0, 301).forEach(_ -> log.info("again"));
        assertThat(lines()).hasSize(102);
        now = now.plusSeconds(1);
        log.info("again");
        assertThat(lines()).hasSize(103);
    }
}
