package dev.millwright.providers.aws.interruption;

import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Any text is a message or [Message.Unreadable].
final class MessageFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            Message.parse(new String(input, StandardCharsets.UTF_8));
        } catch (Message.Unreadable refused) {
            return;
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("queue-messages");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
