package dev.millwright.kube.document;

import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/// Any bytes are one JSON object or an [IOException], and an object is read again as it was
/// written.
final class JsonFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        try (var reader = JsonReader.ofForeign(new ByteArrayInputStream(input))) {
            var object = reader.only();
            var again = JsonReader.object(JsonWriter.bytes(object));
            if (!Objects.equals(object, again)) {
                throw new AssertionError("found %s; wanted %s".formatted(again, object));
            }
        } catch (IOException refused) {
            return;
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("json");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
