package dev.millwright.providers.aws.bootstrap;

import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Any text is a MIME archive or a [MimeException], and an archive is read again from its own text.
final class MimeFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var text = new String(input, StandardCharsets.UTF_8);
            var archive = MimeArchive.read(text);
            MimeArchive.read(archive.text());
        } catch (MimeException refused) {
            return;
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("mime");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
