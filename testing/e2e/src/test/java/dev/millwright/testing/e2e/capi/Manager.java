package dev.millwright.testing.e2e.capi;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// `millwright run capi` as a process of its own, and what it shows of itself.
final class Manager implements AutoCloseable {

    private static final Pattern PORTS =
            Pattern.compile("\"healthPort\":(\\d+),\"metricsPort\":\"(\\d+)\"");

    /// An answer's status and body.
    record Answer(int status, String body) {}

    private final OperatorProcess process;

    private Manager(OperatorProcess process) {
        this.process = process;
    }

    static Manager start(ControlPlane plane, String... options) {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "run",
                                "capi",
                                "--kubeconfig",
                                ChartAccount.of(plane, Chart.CAPT).kubeconfig().toString(),
                                "--metrics-bind-address=127.0.0.1:0",
                                "--health-probe-bind-address=127.0.0.1:0",
                                "--zap-log-level=debug"));
        arguments.addAll(List.of(options));
        return new Manager(OperatorProcess.start(arguments, Map.of()));
    }

    Manager says(String words) {
        process.says(words);
        return this;
    }

    String log() {
        return process.log();
    }

    /// As kubelet stops a container; returns the exit code.
    int stop() {
        return process.stop();
    }

    Answer health(String path) {
        return get("http://127.0.0.1:%d%s".formatted(port(1), path), "");
    }

    /// Over TLS; an empty token sends none.
    Answer metrics(String token) {
        return get("https://localhost:%d/metrics".formatted(port(2)), token);
    }

    private int port(int group) {
        process.says("serving probes");
        var ports = PORTS.matcher(process.log());
        if (!ports.find()) {
            throw new AssertionError("no ports are told: " + process.lastWords());
        }
        return Integer.parseInt(ports.group(group));
    }

    private static Answer get(String address, String token) {
        try (var client = HttpClient.newBuilder().sslContext(trustingAll()).build()) {
            var request = HttpRequest.newBuilder(URI.create(address));
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            var response = client.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException failure) {
            return new Answer(0, String.valueOf(failure));
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while asking " + address, failure);
        }
    }

    /// As a scraper with `insecureSkipVerify`: the certificate is of the manager's own making.
    private static SSLContext trustingAll() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AllTrusting()}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every JDK knows TLS", impossible);
        }
    }

    private static final class AllTrusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
