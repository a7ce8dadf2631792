package dev.millwright.kube.document;

import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

/// Any bytes are a document or a [DocumentException], and what is read is read again from what is
/// written of it.
final class DocumentFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        List<Value> documents;
        try {
            documents = DocumentReader.readAll(Source.bytes("fuzz", input));
        } catch (DocumentException refused) {
            return;
        }
        for (var document : documents) {
            JsonWriter.bytes(document);
            YamlWriter.text(document);
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("documents");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
