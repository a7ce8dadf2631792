package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/// The page of a real operator process on a real API server.
@ExtendWith(ControlPlaneExtension.class)
final class DashboardIT {

    private final HttpClient client = HttpClient.newHttpClient();

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private HttpResponse<String> ask(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the page was asked", failure);
        }
    }

    @Test
    void anOperatorShowsWhatItDecidesAndLetsNothingBeChanged(ControlPlane plane) {
        var port = freePort();
        var page = URI.create("http://127.0.0.1:%d/".formatted(port));
        var fleet = Fleet.of(plane, "shown");
        var operator =
                OperatorProcess.start(
                                plane, Map.of("MILLWRIGHT_DASHBOARD_PORT", Integer.toString(port)))
                        .says("started controllers");
        try {
            fleet.pool().deployment(5).running(5).paired();
            var node = fleet.nodes().getFirst();

            var picture =
                    Eventually.see(
                            "the node is in the picture",
                            () -> ask(HttpRequest.newBuilder(page.resolve("/api/picture"))).body(),
                            text -> text.contains(node) && text.contains("\"kept\""));

            assertThat(picture)
                    .contains("\"isReadOnly\":true", "\"kind\":\"launch\"", "for 5 pods");
            var why =
                    ask(
                            HttpRequest.newBuilder(
                                    page.resolve("/api/explain?kind=node&name=" + node)));
            assertThat(why.statusCode()).isEqualTo(200);
            assertThat(why.body()).contains("\"verdict\":");
            var change =
                    ask(
                            HttpRequest.newBuilder(page.resolve("/api/actions"))
                                    .header("Content-Type", "application/json")
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    "{\"action\":\"freeze\",\"isFrozen\":true}")));
            assertThat(change.statusCode()).isEqualTo(403);
        } finally {
            fleet.removed();
            assertThat(operator.stop()).isZero();
        }
    }
}
