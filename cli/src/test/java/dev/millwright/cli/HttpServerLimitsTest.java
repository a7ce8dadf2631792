package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.webhook.ConversionServer;
import dev.millwright.runtime.log.JsonLog;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.log.LogOutputs;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.probe.ProbeServer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;

final class HttpServerLimitsTest {

    private static final int CONNECTIONS = 1_100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String HALF_HEAD = "GET / HTTP/1.1\r\nHost: a\r\n";
    private static final String HALF_REQUEST =
            String.join(
                    "\r\n", "POST /api/actions HTTP/1.1", "Host: a", "Content-Length: 9", "", "1");
    private static final byte[] HALF_HANDSHAKE = {22, 3, 1, 2, 0, 1};

    /// Opens all servers of an operator, the named one first, tells their ports, and runs until its
    /// standard input ends.
    static final class Servers {
        private static final InetSocketAddress ANY =
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

        public static void main(String[] arguments) throws IOException {
            CommandRun.of("version");
            var first = arguments[0];
            var order = new ArrayList<>(List.of("page", "webhook", "probes"));
            order.remove(first);
            order.addFirst(first);
            for (var name : order) {
                System.out.println(name + " " + open(name));
            }
            System.out.flush();
            System.in.readAllBytes();
            System.exit(0);
        }

        private static int open(String name) throws IOException {
            return switch (name) {
                case "page" ->
                        DashboardServer.start(
                                        0,
                                        Content.live(
                                                new PictureFeed(
                                                        Picture.empty("limits", Instant.EPOCH))))
                                .address()
                                .getPort();
                case "webhook" -> ConversionServer.open(new SilentApi(), 0).port();
                default -> probes();
            };
        }

        private static int probes() throws IOException {
            var outputs = new LogOutputs(List.of(System.err));
            var log =
                    new JsonLog(
                            new JsonLog.Shape(LogLevel.INFO, outputs, outputs, ""),
                            InstantSource.system());
            return ProbeServer.start(
                            new ProbeServer.Addresses(null, ANY, ANY),
                            new ProbeServer.Content(
                                    new Metrics(List.of()), List.of(), List.of(), false),
                            log)
                    .profilesPort();
        }
    }

    /// Asked nothing: no request gets that far.
    private record SilentApi() implements KubeApi {
        @Override
        public ApiAnswer read(ResourceType type, ObjectName name) {
            throw new AssertionError("nothing is read");
        }

        @Override
        public ApiAnswer write(ApiWrite write) {
            throw new AssertionError("nothing is written");
        }

        @Override
        public ListAnswer list(ResourceType type, ListQuery query) {
            throw new AssertionError("nothing is listed");
        }

        @Override
        public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
            throw new AssertionError("nothing is watched");
        }
    }

    @Test
    void theLimitsAreSetBeforeAnyCommandRuns() {
        System.clearProperty(HttpServerLimits.REQUEST_SECONDS);
        System.clearProperty(HttpServerLimits.CONNECTIONS);

        CommandRun.of("version");

        assertThat(System.getProperty(HttpServerLimits.REQUEST_SECONDS)).isEqualTo("10");
        assertThat(System.getProperty(HttpServerLimits.CONNECTIONS)).isEqualTo("1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {"page", "webhook", "probes"})
    @Tag("long")
    void clientsThatDawdleAreCutOffWhicheverServerOpensFirst(String first) throws Exception {
        assertThat(
                        answers(
                                List.of(),
                                first,
                                (server, port) ->
                                        server.equals("webhook")
                                                ? List.of(() -> cutOff(port, HALF_HANDSHAKE))
                                                : List.of(
                                                        () -> cutOff(port, bytes(HALF_HEAD)),
                                                        () -> cutOff(port, bytes(HALF_REQUEST)))))
                .containsExactlyInAnyOrder(
                        "page: cut off",
                        "page: cut off",
                        "webhook: cut off",
                        "probes: cut off",
                        "probes: cut off");
    }

    /// No connection ends by itself here: on a busy machine the first would end before the last is
    /// opened, and its place be free.
    @ParameterizedTest
    @ValueSource(strings = {"page", "webhook", "probes"})
    @Tag("long")
    void connectionsAreBoundedWhicheverServerOpensFirst(String first) throws Exception {
        var patient =
                List.of(
                        "-D" + HttpServerLimits.REQUEST_SECONDS + "=3600",
                        "-Dsun.net.httpserver.idleInterval=3600");

        assertThat(answers(patient, first, (_, port) -> List.of(() -> admitted(port))))
                .containsExactlyInAnyOrder("page: bounded", "webhook: bounded", "probes: bounded");
    }

    /// What one server, known by its name, is asked at its port.
    private interface Questions extends BiFunction<String, Integer, List<Callable<String>>> {}

    /// What all servers of a new process answer, each with the server's name before it.
    private static List<String> answers(List<String> flags, String first, Questions questions)
            throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        Servers.class.getName(),
                        first));
        var process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var reader = process.inputReader(UTF_8);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = new ArrayList<Callable<String>>();
            for (var server = 0; server < 3; server++) {
                var line = reader.readLine().split(" ", 2);
                for (var question : questions.apply(line[0], Integer.valueOf(line[1]))) {
                    asked.add(() -> line[0] + question.call());
                }
            }
            var answers = new ArrayList<String>();
            for (var each : threads.invokeAll(asked)) {
                answers.add(each.get());
            }
            return answers;
        } finally {
            process.destroyForcibly();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /// Sends these bytes and no more.
    private static String cutOff(int port, byte[] beginning) throws IOException {
        try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(beginning);
            socket.getInputStream().readAllBytes();
            return ": cut off";
        } catch (SocketTimeoutException open) {
            return ": still open after " + PATIENCE;
        } catch (SocketException reset) {
            return ": cut off";
        }
    }

    /// Opens more connections than a server takes. One that it took would be answered, be it by
    /// TLS's word for what is no handshake.
    private static String admitted(int port) throws IOException {
        var open = new ArrayList<Socket>();
        try {
            for (var connection = 0; connection < CONNECTIONS; connection++) {
                open.add(new Socket(InetAddress.ofLiteral("127.0.0.1"), port));
            }
            var last = open.getLast();
            last.setSoTimeout((int) PATIENCE.toMillis());
            last.getOutputStream().write(bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
            return last.getInputStream().read() < 0 ? ": bounded" : ": answered";
        } catch (SocketTimeoutException silent) {
            return ": still open after " + PATIENCE;
        } catch (SocketException reset) {
            return ": bounded";
        } finally {
            for (var each : open) {
                each.close();
            }
        }
    }
}
