package dev.millwright.runtime.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.runtime.log.JsonLog;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.log.LogOutputs;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.metrics.Metrics;

import jdk.jfr.consumer.RecordingFile;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

final class ProbeServerTest {

    private static final MetricFamily GAUGE = MetricFamily.gauge("g", "Gauges.");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Metrics metrics = new Metrics(List.of(GAUGE));
    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private @Nullable String problem;
    private ProbeServer server;

    @BeforeEach
    void start() throws IOException {
        server = started(true);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private static ProbeServer.Addresses loopback(int metricsPort, int healthPort) {
        return new ProbeServer.Addresses(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), metricsPort),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), healthPort));
    }

    private ProbeServer started(boolean isProfilingEnabled) throws IOException {
        var log = log();
        var checks = List.of(new Check("manager", () -> problem), new Check("crd", () -> null));
        return ProbeServer.start(
                loopback(0, 0),
                new ProbeServer.Content(metrics, List.of(), checks, isProfilingEnabled),
                log);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)));
    }

    private HttpResponse<String> health(String path) throws Exception {
        return get(server.healthPort(), path);
    }

    private HttpResponse<String> metrics(String path) throws Exception {
        return get(server.metricsPort(), path);
    }

    @Test
    void metricsAreServedAsText() throws Exception {
        metrics.gauge(GAUGE, 7, List.of());
        var answer = metrics("/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type"))
                .contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body()).contains("g 7.0");
    }

    @Test
    void openMetricsAreServedToThoseWhoAcceptThem() throws Exception {
        var answer =
                send(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                "http://127.0.0.1:%d/metrics"
                                                        .formatted(server.metricsPort())))
                                .header("Accept", "application/openmetrics-text"));
        assertThat(answer.body()).endsWith("# EOF\n");
    }

    @Test
    void aLivingProcessIsHealthyWhateverItWaitsFor() throws Exception {
        problem = "caches are filling";
        var answer = health("/healthz");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("ok");
    }

    @Test
    void itIsReadyWhenAllChecksHold() throws Exception {
        assertThat(health("/readyz").body()).isEqualTo("ok");
        assertThat(health("/readyz?verbose").body())
                .isEqualTo("[+]readyz ok\n[+]manager ok\n[+]crd ok\nreadyz check passed\n");
    }

    @Test
    void itIsNotReadyWhenOneDoesNotAndSaysWhich() throws Exception {
        problem = "caches are filling";
        var answer = health("/readyz");
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body())
                .isEqualTo(
                        "[+]readyz ok\n[-]manager failed: caches are filling\n[+]crd ok\nreadyz check failed\n");
    }

    @Test
    void aCheckCanBeAskedAloneAndLeftOut() throws Exception {
        problem = "caches are filling";
        assertThat(health("/readyz/manager").statusCode()).isEqualTo(500);
        assertThat(health("/readyz/crd").body()).isEqualTo("ok");
        assertThat(health("/readyz?exclude=manager").statusCode()).isEqualTo(200);
        assertThat(health("/readyz/hello").statusCode()).isEqualTo(404);
    }

    @Test
    void aCheckThatBreaksHasFailed() {
        var check =
                new Check(
                        "broken",
                        () -> {
                            throw new IllegalStateException("no mapping");
                        });
        assertThat(check.problemNow()).contains("no mapping");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metricsX", "/healthz"})
    void otherPathsAreNotThere(String path) throws Exception {
        assertThat(metrics(path).statusCode()).isEqualTo(404);
    }

    @Test
    void onlyReadingIsAllowed() throws Exception {
        var answer =
                send(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                "http://127.0.0.1:%d/metrics"
                                                        .formatted(server.metricsPort())))
                                .POST(BodyPublishers.ofString("x")));
        assertThat(answer.statusCode()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/debug/pprof/",
                "/debug/pprof/cmdline",
                "/debug/pprof/goroutine",
                "/debug/pprof/threadcreate",
                "/debug/pprof/block"
            })
    void profilesAreServedWhenEnabled(String path) throws Exception {
        var answer = metrics(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void theHeapIsShownByClass() throws Exception {
        assertThat(metrics("/debug/pprof/heap").body()).contains("java.lang.String");
    }

    @Test
    void threadsAreShownWithTheirStacks() throws Exception {
        assertThat(metrics("/debug/pprof/goroutine").body()).contains("ProbeServer");
    }

    @Test
    void aRecordingIsServed() throws Exception {
        assertThat(metrics("/debug/pprof/profile?seconds=0").body()).startsWith("FLR");
    }

    @Test
    void aRecordingShowsNoEnvironmentAndNoArguments(@TempDir Path folder) throws Exception {
        var address =
                URI.create(
                        "http://127.0.0.1:%d/debug/pprof/profile?seconds=0"
                                .formatted(server.metricsPort()));
        var file =
                client.send(
                                HttpRequest.newBuilder(address).build(),
                                BodyHandlers.ofFile(folder.resolve("recording.jfr")))
                        .body();
        try (var recording = new RecordingFile(file)) {
            var names = new TreeSet<String>();
            while (recording.hasMoreEvents()) {
                names.add(recording.readEvent().getEventType().getName());
            }
            assertThat(names)
                    .isNotEmpty()
                    .doesNotContain(
                            "jdk.InitialEnvironmentVariable",
                            "jdk.InitialSystemProperty",
                            "jdk.JVMInformation",
                            "jdk.SystemProcess");
        }
    }

    @Test
    void aRecordingOfTooManySecondsIsRefused() throws Exception {
        assertThat(metrics("/debug/pprof/profile?seconds=100000").statusCode()).isEqualTo(404);
        assertThat(metrics("/debug/pprof/profile?seconds=x").statusCode()).isEqualTo(404);
    }

    @Test
    void profilesAreNotThereOtherwise() throws Exception {
        try (var plain = started(false)) {
            assertThat(get(plain.metricsPort(), "/debug/pprof/heap").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        var addresses = loopback(server.metricsPort(), 0);
        var content = new ProbeServer.Content(metrics, List.of(), List.of(), false);
        var log = log();
        assertThatThrownBy(() -> ProbeServer.start(addresses, content, log))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:%d".formatted(server.metricsPort()));
    }

    private JsonLog log() {
        var outputs = new LogOutputs(List.of(logged));
        return new JsonLog(
                new JsonLog.Shape(LogLevel.INFO, outputs, outputs, ""), () -> Instant.EPOCH);
    }
}
