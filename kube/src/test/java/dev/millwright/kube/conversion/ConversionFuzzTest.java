package dev.millwright.kube.conversion;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;

/// Any JSON object gets an answer, which is a success or a failure with a message.
final class ConversionFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        Value.Mapping review;
        try (var reader = JsonReader.ofForeign(new ByteArrayInputStream(input))) {
            review = reader.only();
        } catch (IOException refused) {
            return;
        }
        var answer = ConversionReview.answered(review, _ -> null);
        var status = Nested.text(answer, "response", "result", "status");
        if (!"Success".equals(status) && !"Failure".equals(status)) {
            throw new AssertionError("found status %s of %s".formatted(status, answer));
        }
        JsonWriter.bytes(answer);
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("conversion-reviews");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
