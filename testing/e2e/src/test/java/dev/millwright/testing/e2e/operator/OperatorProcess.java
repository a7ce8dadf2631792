package dev.millwright.testing.e2e.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;
import dev.millwright.testing.kit.PackingOfRun;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// `millwright run controllers` as a process of its own, so that it can die like one.
public final class OperatorProcess implements AutoCloseable {

    private static final long STOP_SECONDS_MAX = 120;
    private static final int WORDS_MAX = 4_000;

    private final Process process;
    private final Path log;

    private OperatorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// With the rights of the chart alone, as these variables switch it.
    public static OperatorProcess start(ControlPlane plane, Map<String, String> environment) {
        var account = ChartAccount.of(plane, Chart.OPERATOR, values(environment));
        var whole =
                new TreeMap<>(
                        Map.of(
                                "SYSTEM_NAMESPACE",
                                account.namespace(),
                                "KARPENTER_SERVICE",
                                account.name()));
        whole.putAll(PackingOfRun.variables());
        whole.putAll(environment);
        return start(
                List.of(
                        "run",
                        "controllers",
                        "--kubeconfig",
                        account.kubeconfig().toString(),
                        "--metrics-port",
                        "0",
                        "--health-probe-port",
                        "0",
                        "--log-level",
                        "debug",
                        "--batch-idle-duration",
                        "500ms"),
                whole);
    }

    /// The chart's values that come to these variables and more rights.
    private static String[] values(Map<String, String> environment) {
        var values = new ArrayList<String>();
        if (!environment.getOrDefault("MILLWRIGHT_PROVIDER", "kwok").equals("aws")) {
            values.add("settings.provider=kwok");
        }
        if (environment.getOrDefault("MILLWRIGHT_STEER_PODS", "").equals("true")) {
            values.add("settings.steerPods=true");
        }
        if (environment.getOrDefault("DISABLE_WEBHOOK", "").equals("false")) {
            values.add("webhook.enabled=true");
        }
        if (environment.containsKey("SCHEDULER_CONFIG")) {
            values.add("settings.schedulerConfig=set");
        }
        return values.toArray(String[]::new);
    }

    /// With these arguments and variables alone, as a container is started.
    public static OperatorProcess start(List<String> arguments, Map<String, String> environment) {
        try {
            var log = Files.createTempFile("operator", ".log");
            var builder = new ProcessBuilder(command(arguments));
            builder.environment().putAll(environment);
            builder.redirectErrorStream(true).redirectOutput(log.toFile());
            return new OperatorProcess(builder.start(), log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Our executable and its arguments.
    public static List<String> command(List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.millwright.cli.Main"));
        command.addAll(arguments);
        return command;
    }

    public static OperatorProcess start(ControlPlane plane) {
        return start(plane, Map.of());
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    public String log() {
        try {
            return Files.readString(log, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Waits until a line holds these words.
    public OperatorProcess says(String words) {
        Eventually.see("the operator says " + words, this::lastWords, _ -> log().contains(words));
        return this;
    }

    public String lastWords() {
        var all = log();
        return all.substring(Math.max(0, all.length() - WORDS_MAX));
    }

    /// As a machine that loses power.
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /// As kubelet stops a container; returns the exit code.
    public int stop() {
        process.destroy();
        return await();
    }

    private int await() {
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the operator did not stop: " + lastWords());
            }
            return process.exitValue();
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the operator stopped", failure);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        await();
    }
}
