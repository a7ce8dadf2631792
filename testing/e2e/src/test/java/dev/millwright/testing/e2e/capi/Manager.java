package dev.millwright.testing.e2e.capi;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Scrape;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// `millwright run capi` as a process of its own, and what it shows of itself.
final class Manager implements AutoCloseable {

    private static final Pattern PORTS =
            Pattern.compile("\"healthPort\":(\\d+),\"metricsPort\":\"(\\d+)\"");

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

    Scrape.Answer health(String path) {
        return Scrape.get("http://127.0.0.1:%d%s".formatted(port(1), path), "");
    }

    /// Over TLS; an empty token sends none.
    Scrape.Answer metrics(String token) {
        return Scrape.get("https://localhost:%d/metrics".formatted(port(2)), token);
    }

    private int port(int group) {
        process.says("serving probes");
        var ports = PORTS.matcher(process.log());
        if (!ports.find()) {
            throw new AssertionError("no ports are told: " + process.lastWords());
        }
        return Integer.parseInt(ports.group(group));
    }

    @Override
    public void close() {
        process.close();
    }
}
