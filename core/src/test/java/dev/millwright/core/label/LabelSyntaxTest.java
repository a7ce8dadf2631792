package dev.millwright.core.label;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Stream;

final class LabelSyntaxTest {

    static Stream<String> longestKeys() {
        return Stream.of(
                "n".repeat(63), "p".repeat(253) + "/n", "a.b/" + "n".repeat(63), "1-2.x/y_z.0");
    }

    static Stream<String> tooLongKeys() {
        return Stream.of("n".repeat(64), "p".repeat(254) + "/n", "a.b/" + "n".repeat(64));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "z",
                "A",
                "Z",
                "0",
                "9",
                "team",
                "my-key",
                "a_b.c",
                "example.com/Team",
                "x/y"
            })
    @MethodSource("longestKeys")
    void keysKubernetesAcceptsAreNames(String key) {
        assertThat(LabelSyntax.isQualifiedName(key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/name",
                "example.com/",
                "a/b/c",
                "-a",
                "a-",
                "_a",
                "a.",
                "a b",
                "ä",
                "Example.com/name",
                "-x.com/name",
                "x-.com/name",
                "x..com/name",
                ".com/name",
                "x_y.com/name"
            })
    @MethodSource("tooLongKeys")
    void keysKubernetesRefusesAreNoNames(String key) {
        assertThat(LabelSyntax.isQualifiedName(key)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "test-zone-1", "v1.2_3"})
    void valuesKubernetesAcceptsAreValues(String value) {
        assertThat(LabelSyntax.isValue(value)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-a", "a-", "a/b", "a b", " "})
    void valuesKubernetesRefusesAreNoValues(String value) {
        assertThat(LabelSyntax.isValue(value)).isFalse();
    }
}
