package dev.millwright.testing.e2e.image;

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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// One process in an image's own root, as a kubelet would start it: read-only, as the image's user.
final class ImageContainer implements AutoCloseable {

    static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();

    private static final Path SCRIPT = REPOSITORY.resolve("testing/e2e/image/container.py");
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long STOP_SECONDS_MAX = 120;
    private static final int WORDS_MAX = 4_000;
    private static final Pattern FIRST = Pattern.compile("(?m)^NSpid:\\s.*\\s1$");

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

    /// What a kubelet adds to the image's own configuration.
    static final class Options {

        private final List<String> words = new ArrayList<>();

        private Options() {}

        static Options none() {
            return new Options();
        }

        Options variable(String name, String value) {
            return with("--env", name + "=" + value);
        }

        Options mount(Path source, String target) {
            return with("--mount", source + ":" + target);
        }

        /// A volume of the pod, of the pod's group.
        Options volume(Path source, String target, boolean isReadOnly) {
            return with(isReadOnly ? "--read-only-volume" : "--volume", source + ":" + target);
        }

        /// In place of the image's user; the group is that of the pod's volumes, too.
        Options user(int user, int group) {
            return with("--user", user + ":" + group);
        }

        private Options with(String option, String value) {
            words.addAll(List.of(option, value));
            return this;
        }
    }

    /// Runs one command to its end, and returns what it wrote.
    static String run(Path directory, String... arguments) {
        return Shell.run(command(directory, Options.none(), List.of(arguments)), "", LIMIT);
    }

    static ImageContainer start(Path directory, Options options, List<String> arguments) {
        try {
            var log = Files.createTempFile("container", ".log");
            var process =
                    new ProcessBuilder(command(directory, options, arguments))
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            return new ImageContainer(process, log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Deletes what containers wrote, which may be another user's.
    static void erase(Path directory) {
        Shell.run(List.of("python3", SCRIPT.toString(), "erase", directory.toString()), "", LIMIT);
    }

    private static List<String> command(Path directory, Options options, List<String> arguments) {
        var command =
                new ArrayList<>(List.of("python3", SCRIPT.toString(), "run", directory.toString()));
        command.addAll(options.words);
        command.add("--");
        command.addAll(arguments);
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

    /// The first process of the container's own namespace: programs that made it may stand before,
    /// and what it runs itself behind.
    private ProcessHandle inside() {
        return process.descendants()
                .filter(each -> FIRST.matcher(status(each)).find())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the container ended: " + lastWords()));
    }

    /// Empty when the process has ended by now.
    private static String status(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", process.pid() + "", "status"), UTF_8);
        } catch (IOException ended) {
            return "";
        }
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
