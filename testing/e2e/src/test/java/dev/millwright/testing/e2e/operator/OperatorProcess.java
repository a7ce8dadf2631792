package dev.millwright.testing.e2e.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

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

    public static OperatorProcess start(ControlPlane plane, Map<String, String> environment) {
        var whole = new TreeMap<>(Map.of("SYSTEM_NAMESPACE", "kube-system"));
        whole.putAll(environment);
        return start(
                List.of(
                        "run",
                        "controllers",
                        "--kubeconfig",
                        plane.kubeconfig().toString(),
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
