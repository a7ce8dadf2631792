package dev.millwright.testing.bench.differential;

import dev.millwright.testing.kit.generator.Document;
import dev.millwright.testing.kit.generator.PlainJson;
import dev.millwright.testing.kit.generator.SnapshotWriter;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/// The peer as a process that is asked one document after another. It may die of a document; the
/// next one starts it anew.
final class PeerProcess implements AutoCloseable {

    private final Path binary;
    private final int repeats;
    private @Nullable Process process;
    private @Nullable BufferedWriter questions;
    private @Nullable BufferedReader answers;

    PeerProcess(Path binary, int repeats) {
        this.binary = binary;
        this.repeats = repeats;
    }

    /// The peer's answer, or what it failed with.
    PeerAnswer ask(Document document) {
        try {
            if (process == null || !process.isAlive()) {
                start();
            }
            var line = exchange(SnapshotWriter.line(document));
            if (line == null) {
                close();
                return PeerAnswer.failed("the peer ended without an answer");
            }
            Map<String, Object> answer = PlainJson.object(line);
            return PeerAnswer.of(answer);
        } catch (IOException failure) {
            close();
            return PeerAnswer.failed(String.valueOf(failure.getMessage()));
        }
    }

    private @Nullable String exchange(String question) throws IOException {
        if (questions == null || answers == null) {
            throw new IOException("the peer is not running");
        }
        questions.write(question);
        questions.write('\n');
        questions.flush();
        return answers.readLine();
    }

    private void start() throws IOException {
        var started =
                new ProcessBuilder(
                                binary.toString(),
                                "--serve",
                                "--hurried",
                                "--repeat",
                                Integer.toString(Math.max(2, repeats)))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        process = started;
        questions = started.outputWriter();
        answers = started.inputReader();
    }

    @Override
    public void close() {
        var running = process;
        if (running != null) {
            running.destroy();
            try {
                running.waitFor();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UncheckedIOException(new IOException("interrupted", interrupted));
            }
        }
        process = null;
        questions = null;
        answers = null;
    }
}
