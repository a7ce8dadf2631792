package dev.millwright.capi.runner;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One process of Terraform. Its words go to files and not to us, so that it can go on and be heard
/// when we die.
final class TerraformCommand {

    private static final Duration TICK = Duration.ofMillis(200);
    private static final int ERROR_BYTES_MAX = 64 << 10;
    private static final int READ_BYTES_MAX = 1 << 20;

    private final TerraformBinary binary;
    private final TerraformHost.Command command;

    TerraformCommand(TerraformBinary binary, TerraformHost.Command command) {
        this.binary = binary;
        this.command = command;
    }

    TerraformHost.Ended run(TerraformHost.Observer observer)
            throws IOException, InterruptedException {
        var out = command.out();
        var errors = command.errors();
        HostFiles.write(out, new byte[0]);
        HostFiles.write(errors, new byte[0]);
        var words = new ArrayList<>(List.of(binary.path().toString()));
        words.addAll(command.arguments());
        var builder =
                new ProcessBuilder(words)
                        .directory(command.folder().toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
                        .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        var process = builder.start();
        var wasInterrupted = await(process, new Tail(out, observer), observer);
        return new TerraformHost.Ended(process.exitValue(), head(errors), wasInterrupted);
    }

    /// Terraform takes the first signal as a wish to save its state and end; after a while it is
    /// not asked any more.
    private boolean await(Process process, Tail tail, TerraformHost.Observer observer)
            throws IOException, InterruptedException {
        var waitedMillis = -1L;
        while (!process.waitFor(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
            tail.read();
            observer.tick();
            if (waitedMillis < 0 && observer.isInterrupted()) {
                process.destroy();
                waitedMillis = 0;
            } else if (waitedMillis >= 0) {
                waitedMillis += TICK.toMillis();
                if (waitedMillis > command.interruptWait().toMillis()) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                }
            }
        }
        tail.read();
        return waitedMillis >= 0;
    }

    private static String head(Path file) throws IOException {
        try (var stream = Files.newInputStream(file)) {
            return new String(stream.readNBytes(ERROR_BYTES_MAX), UTF_8);
        }
    }

    /// Reads a file that grows, whole lines only.
    static final class Tail {
        private final Path file;
        private final TerraformHost.Observer lines;
        private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
        private long at;

        Tail(Path file, TerraformHost.Observer lines) {
            this.file = file;
            this.lines = lines;
        }

        void read() throws IOException {
            try (var access = new RandomAccessFile(file.toFile(), "r")) {
                while (at < access.length()) {
                    var bytes = new byte[(int) Math.min(READ_BYTES_MAX, access.length() - at)];
                    access.seek(at);
                    access.readFully(bytes);
                    at += bytes.length;
                    take(bytes);
                }
            }
        }

        private void take(byte[] bytes) throws IOException {
            for (var each : bytes) {
                if (each == '\n') {
                    lines.line(rest.toString(UTF_8));
                    rest.reset();
                } else if (rest.size() < READ_BYTES_MAX) {
                    rest.write(each);
                }
            }
        }
    }
}
