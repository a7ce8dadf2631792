package dev.millwright.testing.e2e.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// One process in an image's own root, as a kubelet would start it: read-only, as the image's user.
final class ImageContainer implements AutoCloseable {

    static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();

    private static final Path SCRIPT = REPOSITORY.resolve("testing/e2e/image/container.py");
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long STOP_SECONDS_MAX = 120;
    private static final int WORDS_MAX = 4_000;

    private final Process process;
    private final Path log;

    private ImageContainer(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// Returns the root; the image's configuration lies beside it.
    static Path unpack(Path archive, Path directory) {
        Shell.run(
                List.of(
                        "python3",
                        SCRIPT.toString(),
                        "unpack",
                        archive.toString(),
                        directory.toString()),
                "",
                LIMIT);
        return directory.resolve("root");
    }

    /// Runs one command to its end, and returns what it wrote.
    static String run(Path directory, String... arguments) {
        return Shell.run(command(directory, Map.of(), Map.of(), arguments), "", LIMIT);
    }

    static ImageContainer start(
            Path directory,
            Map<Path, String> mounts,
            Map<String, String> environment,
            String... arguments) {
        try {
            var log = Files.createTempFile("container", ".log");
            var process =
                    new ProcessBuilder(command(directory, mounts, environment, arguments))
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            return new ImageContainer(process, log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> command(
            Path directory,
            Map<Path, String> mounts,
            Map<String, String> environment,
            String... arguments) {
        var command =
                new ArrayList<>(List.of("python3", SCRIPT.toString(), "run", directory.toString()));
        mounts.forEach((from, to) -> command.addAll(List.of("--mount", from + ":" + to)));
        environment.forEach((name, value) -> command.addAll(List.of("--env", name + "=" + value)));
        command.add("--");
        command.addAll(List.of(arguments));
        return command;
    }

    String log() {
        try {
            return Files.readString(log, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    ImageContainer says(String words) {
        Eventually.see("the container says " + words, this::lastWords, _ -> log().contains(words));
        return this;
    }

    private String lastWords() {
        var all = log();
        return all.substring(Math.max(0, all.length() - WORDS_MAX));
    }

    /// A file of the container's first process in `/proc`.
    String proc(String name) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(inside().pid()), name), UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The last of a chain: a program that made the namespaces may stand before it.
    private ProcessHandle inside() {
        return process.descendants()
                .filter(each -> each.children().findAny().isEmpty())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the container ended: " + lastWords()));
    }

    /// As a kubelet stops a container; returns the exit code.
    int stop() {
        signal("TERM");
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new AssertionError("the container did not stop: " + lastWords());
            }
            return process.exitValue();
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the container stopped", failure);
        }
    }

    private void signal(String name) {
        Shell.run(
                List.of(
                        "python3",
                        SCRIPT.toString(),
                        "signal",
                        String.valueOf(inside().pid()),
                        name),
                "",
                LIMIT);
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            signal("KILL");
        }
    }
}
