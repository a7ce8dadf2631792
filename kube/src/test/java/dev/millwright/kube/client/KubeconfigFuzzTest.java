package dev.millwright.kube.client;

import dev.millwright.testing.kit.fuzz.FuzzCorpus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Any bytes are refused, or reduced to a kubeconfig that is reduced to itself and holds nothing
/// that is to be run, read or gone by.
final class KubeconfigFuzzTest {

    private static final List<String> FORBIDDEN =
            List.of("\"exec\":", "\"tokenFile\":", "\"auth-provider\":", "\"proxy-url\":");

    /// By this name Jazzer finds it.
    public static void fuzzerTestOneInput(byte[] input) {
        if (!(InlineKubeconfig.of(input) instanceof InlineKubeconfig.Answer.Reduced(var reduced))) {
            return;
        }
        var text = new String(reduced, StandardCharsets.UTF_8);
        var isSame =
                InlineKubeconfig.of(reduced) instanceof InlineKubeconfig.Answer.Reduced(var again)
                        && text.equals(new String(again, StandardCharsets.UTF_8));
        if (!isSame || FORBIDDEN.stream().anyMatch(text::contains)) {
            throw new AssertionError("found " + text);
        }
    }

    static List<byte[]> corpus() {
        return FuzzCorpus.of("kubeconfigs");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void whatFuzzingFoundIsReadOrRefused(byte[] input) {
        fuzzerTestOneInput(input);
    }
}
