package dev.millwright.kube.record;

import dev.millwright.kube.record.value.DamageException;
import dev.millwright.kube.record.value.DeliberationReader;
import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

/// Any bytes are a deliberation or a [DamageException].
final class RecordFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            new DeliberationReader().read(input);
        } catch (DamageException refused) {
            return;
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("records");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
