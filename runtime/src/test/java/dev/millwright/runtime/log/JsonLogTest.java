package dev.millwright.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

final class JsonLogTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Instant now = Instant.parse("2026-01-02T03:04:05.678Z");
    private boolean isDiskFull;

    /// Fails while the disk is full.
    private final OutputStream disk =
            new OutputStream() {
                @Override
                public void write(int letter) throws IOException {
                    if (isDiskFull) {
                        throw new IOException("no space left");
                    }
                    out.write(letter);
                }
            };

    private Log log(LogLevel least) {
        var shape =
                new JsonLog.Shape(
                        least, new LogOutputs(List.of(disk)), new LogOutputs(List.of(err)), "abc");
        return new JsonLog(shape, () -> now);
    }

    private static List<String> lines(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void aLineHasKarpentersKeysInTheirOrder() {
        log(LogLevel.INFO).named("provisioner").info("found pods", "pods", 3, "pool", "default");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"level\":\"INFO\",\"time\":\"2026-01-02T03:04:05.678Z\",\"logger\":\"controller.provisioner\","
                                + "\"message\":\"found pods\",\"commit\":\"abc\",\"pods\":3,\"pool\":\"default\"}\n");
    }

    @Test
    void linesBelowTheLevelAreNotWritten() {
        var log = log(LogLevel.ERROR);
        log.debug("a");
        log.info("b");
        log.warn("c");
        log.error("d");
        assertThat(lines(out)).hasSize(1).first().asString().contains("\"message\":\"d\"");
    }

    @Test
    void onlyDebugTellsWhereALineWasSaid() {
        log(LogLevel.DEBUG).info("here");
        log(LogLevel.INFO).info("nowhere");
        assertThat(lines(out).get(0)).contains("\"caller\":\"log/JsonLogTest.java:");
        assertThat(lines(out).get(1)).doesNotContain("caller");
    }

    @Test
    void pairsOfALogStandOnEveryLineAndTheLaterCounts() {
        var log = log(LogLevel.INFO).with("node", "a", "zone", "z");
        log.info("first");
        log.info("second", "node", "b");
        assertThat(lines(out).get(0)).endsWith("\"node\":\"a\",\"zone\":\"z\"}");
        assertThat(lines(out).get(1)).endsWith("\"node\":\"b\",\"zone\":\"z\"}");
    }

    @Test
    void valuesAreWrittenAsWhatTheyAre() {
        log(LogLevel.INFO)
                .info(
                        "values",
                        "after",
                        Duration.ofSeconds(90),
                        "at",
                        Instant.EPOCH,
                        "list",
                        List.of("a", 1),
                        "map",
                        Collections.singletonMap("k", true),
                        "ratio",
                        0.5,
                        "strange",
                        Double.NaN,
                        "none",
                        null);
        assertThat(lines(out).getFirst())
                .endsWith(
                        "\"after\":\"1m30s\",\"at\":\"1970-01-01T00:00:00.000Z\",\"list\":[\"a\",1],"
                                + "\"map\":{\"k\":true},\"ratio\":0.5,\"strange\":\"NaN\",\"none\":null}");
    }

    @Test
    void aFailureIsItsWordsAndThoseOfItsCauseWithoutATrace() {
        var failure = new IllegalStateException("launching", new IOException());
        log(LogLevel.INFO).error("failed", "error", failure);
        assertThat(lines(out)).hasSize(1);
        assertThat(lines(out).getFirst()).endsWith("\"error\":\"launching, IOException\"}");
    }

    /// A failure that knows what it is about.
    private static final class Lost extends RuntimeException implements LogFields.Detailed {
        private static final long serialVersionUID = 1L;

        Lost() {
            super("lost");
        }

        @Override
        public SequencedMap<String, Object> details() {
            return new TreeMap<>(Collections.singletonMap("node", "a"));
        }
    }

    @Test
    void detailsOfAFailureBecomePairs() {
        log(LogLevel.INFO).error("failed", "error", new Lost());
        assertThat(lines(out).getFirst()).endsWith("\"error\":\"lost\",\"node\":\"a\"}");
    }

    @Test
    void aKeyOfTheLineItselfIsRenamedAndAMissingValueSaidSo() {
        log(LogLevel.INFO).info("odd", "message", "inner", "alone");
        assertThat(lines(out).getFirst())
                .contains("\"message_\":\"inner\"", "\"alone\":\"(no value)\"");
    }

    @Test
    void aPhraseThatRepeatsIsThinnedOutWithinASecond() {
        var log = log(LogLevel.INFO);
        IntStream.range(0, 350).forEach(number -> log.info("again", "number", number));
        log.info("another");
        assertThat(lines(out)).hasSize(100 + 2 + 1);
        assertThat(lines(out).get(100)).contains("\"number\":199");
        now = now.plusSeconds(1);
        log.info("again", "number", 350);
        assertThat(lines(out)).hasSize(100 + 2 + 1 + 1);
    }

    @Test
    void theRecorderOfEventsDoesNotEchoThemAtDebug() {
        var log = log(LogLevel.DEBUG).named("events");
        log.debug("published");
        log.error("refused");
        assertThat(lines(out)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password",
                "bearerToken",
                "client-secret",
                "Authorization",
                "awsCredentials"
            })
    void secretsAreHiddenByTheirKey(String key) {
        log(LogLevel.INFO).info("secret", key, "hunter2");
        assertThat(lines(out).getFirst()).doesNotContain("hunter2").contains("(hidden)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer hunter2hunter2",
                "see https://me:hunter2@example.com/x",
                "token eyJhbGciOiJIUzI1.eyJodW50ZXIyIjoxMjM0.hunter2"
            })
    void secretsAreHiddenInsideTexts(String text) {
        log(LogLevel.INFO).info("secret", "error", text);
        assertThat(lines(out).getFirst()).doesNotContain("hunter2").contains("(hidden)");
    }

    @Test
    void anOverlongTextIsCut() {
        log(LogLevel.INFO).info("long", "text", "x".repeat(100_000));
        assertThat(lines(out).getFirst()).hasSizeLessThan(20_000).contains("x…");
    }

    @Test
    void aLineThatCannotBeWrittenIsToldElsewhereAndCounted() {
        var log = log(LogLevel.INFO);
        isDiskFull = true;
        log.info("lost one");
        isDiskFull = false;
        log.info("found one");
        assertThat(lines(err).getFirst())
                .contains("log line lost", "\"lost\":\"lost one\"", "no space left");
        assertThat(lines(out)).hasSize(1).first().asString().endsWith("\"log-lines-lost\":1}");
    }

    @Test
    void filesAreAppendedTo(@TempDir Path folder) throws IOException {
        var file = folder.resolve("operator.log");
        Files.writeString(file, "before\n");
        try (var outputs = LogOutputs.open(List.of(file.toString(), file.toUri().toString()))) {
            new JsonLog(new JsonLog.Shape(LogLevel.INFO, outputs, outputs, ""), () -> now)
                    .info("after");
        }
        assertThat(Files.readAllLines(file))
                .hasSize(3)
                .startsWith("before")
                .last()
                .asString()
                .endsWith("\"message\":\"after\"}");
    }

    @Test
    void aFileThatCannotBeOpenedIsNamed(@TempDir Path folder) {
        var path = folder.resolve("missing/operator.log").toString();
        assertThatThrownBy(() -> LogOutputs.open(List.of(path)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(path)
                .hasMessageContaining("stdout or stderr");
    }
}
