package dev.millwright.providers.aws.bootstrap.toml;

import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Any text is TOML or a [TomlException], and a table is read again as it was written.
final class TomlFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        String written;
        try {
            written = TomlText.of(TomlReader.read(new String(input, StandardCharsets.UTF_8)));
        } catch (TomlException refused) {
            return;
        }
        try {
            var again = TomlText.of(TomlReader.read(written));
            if (!again.equals(written)) {
                throw new AssertionError("found %s; wanted %s".formatted(again, written));
            }
        } catch (TomlException unreadable) {
            throw new AssertionError("cannot be read again: " + written, unreadable);
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("toml");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
