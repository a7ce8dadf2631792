package dev.millwright.addons.helm;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/// Helm's command as a process with bounds on its time, memory and output. A run that goes past one
/// of them, or whose thread is interrupted, is asked to end, which lets Helm mark its release as
/// failed, and then killed.
///
/// To be called from threads of the system's own, since waiting for a process keeps a carrier.
final class HelmCommand {

    /// What came of a run.
    sealed interface Outcome {

        record Good(String output) implements Outcome {}

        /// Helm said no.
        record Bad(String words) implements Outcome {}

        /// It went past a bound and was ended, or could not even be started.
        record Ended(String words) implements Outcome {}
    }

    /// What one run may take.
    ///
    /// @param outputBytes of each of its two streams
    record Limits(Duration time, long memoryBytes, int outputBytes) {}

    private static final Duration LOOK_EVERY = Duration.ofMillis(25);
    private static final Duration END_MAX = Duration.ofSeconds(10);
    private static final Duration KILL_MAX = Duration.ofSeconds(5);
    private static final int BUFFER_BYTES = 1 << 14;
    private static final int PAGE_BYTES = 4_096;
    private static final int WORDS_MAX = 1_500;
    private static final Pattern SPACE = Pattern.compile(" ");

    private final String binary;

    HelmCommand(String binary) {
        this.binary = binary;
    }

    /// @param home an own directory, under which Helm's files lie
    Outcome run(List<String> arguments, Path home, Map<String, String> environment, Limits limits)
            throws InterruptedException {
        var command = new ArrayList<>(List.of(binary));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).directory(home.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put("HOME", home.toString());
        builder.environment().put("HELM_CACHE_HOME", home.resolve("cache").toString());
        builder.environment().put("HELM_CONFIG_HOME", home.resolve("config").toString());
        builder.environment().put("HELM_DATA_HOME", home.resolve("data").toString());
        // The collector works harder before our bound is met, so that only a real excess meets it.
        builder.environment().put("GOMEMLIMIT", Long.toString(limits.memoryBytes() / 4 * 3));
        try {
            return watched(builder.start(), limits);
        } catch (IOException absent) {
            return new Outcome.Ended(
                    "Helm cannot be started as \"%s\"; install it or say where it is"
                            .formatted(binary));
        }
    }

    private static Outcome watched(Process process, Limits limits) throws InterruptedException {
        var output = new Stream(process.getInputStream(), limits.outputBytes());
        var errors = new Stream(process.getErrorStream(), limits.outputBytes());
        var memory = Path.of("/proc", Long.toString(process.pid()), "statm");
        var endNanos = System.nanoTime() + limits.time().toNanos();
        try {
            while (!process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - endNanos > 0) {
                    end(process);
                    return new Outcome.Ended(
                            "took longer than %s and was ended".formatted(limits.time()));
                }
                if (output.isTooLong() || errors.isTooLong()) {
                    kill(process);
                    return new Outcome.Ended(
                            "wrote more than %d bytes and was ended"
                                    .formatted(limits.outputBytes()));
                }
                if (residentBytes(memory) > limits.memoryBytes()) {
                    kill(process);
                    return new Outcome.Ended(
                            "needed more than %d MiB of memory and was ended"
                                    .formatted(limits.memoryBytes() >> 20));
                }
            }
            if (output.isTooLong()) {
                return new Outcome.Ended(
                        "wrote more than %d bytes".formatted(limits.outputBytes()));
            }
            return process.exitValue() == 0
                    ? new Outcome.Good(output.text())
                    : new Outcome.Bad(words(errors.text()));
        } finally {
            if (process.isAlive()) {
                end(process);
            }
        }
    }

    /// What Helm said last, without its advice on flags of its own.
    private static String words(String errors) {
        var start = errors.lastIndexOf("Error: ");
        var text = start < 0 ? errors : errors.substring(start + "Error: ".length());
        var advice = text.indexOf("\n\nUse --debug flag");
        var plain = (advice < 0 ? text : text.substring(0, advice)).strip();
        return plain.length() <= WORDS_MAX ? plain : plain.substring(0, WORDS_MAX) + " …";
    }

    private static long residentBytes(Path statm) {
        try {
            return Long.parseLong(SPACE.split(Files.readString(statm), 3)[1]) * PAGE_BYTES;
        } catch (IOException | RuntimeException ended) {
            return 0; // It has ended between two looks, or this system tells nothing.
        }
    }

    private static void end(Process process) {
        process.destroy();
        if (!isGoneWithin(process, END_MAX)) {
            kill(process);
        }
    }

    private static void kill(Process process) {
        process.destroyForcibly();
        isGoneWithin(process, KILL_MAX);
    }

    /// Also for a thread that is interrupted: what it waits for is short.
    private static boolean isGoneWithin(Process process, Duration most) {
        var wasInterrupted = Thread.interrupted();
        try {
            return process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException again) {
            wasInterrupted = true;
            return false;
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// What a process writes, up to a bound, read on a thread of its own.
    private static final class Stream {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final AtomicBoolean isTooLong = new AtomicBoolean();
        private final Thread reader;

        Stream(InputStream stream, int bytesMax) {
            reader =
                    Thread.ofPlatform()
                            .daemon()
                            .name("helm-output")
                            .start(() -> read(stream, bytesMax));
        }

        private void read(InputStream stream, int bytesMax) {
            var buffer = new byte[BUFFER_BYTES];
            try (stream) {
                for (var count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    if (bytes.size() + count > bytesMax) {
                        isTooLong.set(true);
                        return;
                    }
                    bytes.write(buffer, 0, count);
                }
            } catch (IOException closed) {
                // The process was ended; what it said before is enough.
            }
        }

        boolean isTooLong() {
            return isTooLong.get();
        }

        String text() throws InterruptedException {
            reader.join(KILL_MAX);
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
