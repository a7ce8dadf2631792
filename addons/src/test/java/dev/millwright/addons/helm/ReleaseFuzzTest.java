package dev.millwright.addons.helm;

import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/// Any bytes are a release or an [IOException], and a release is read again as it was written.
final class ReleaseFuzzTest {

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        var encoder = Base64.getEncoder();
        try {
            var release = ReleaseCodec.decoded(encoder.encodeToString(encoder.encode(input)));
            var again = ReleaseCodec.decoded(ReleaseCodec.encoded(release));
            if (!Objects.equals(release, again)) {
                throw new AssertionError("found %s; wanted %s".formatted(again, release));
            }
        } catch (IOException refused) {
            return;
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("releases");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
