package dev.millwright.kube.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

final class YamlWriterTest {

    private static Value read(String yaml) {
        return DocumentReader.readAll(Source.text("test", yaml)).getFirst();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yes",
                "no",
                "on",
                "y",
                "true",
                "null",
                "~",
                "1",
                "1.5",
                "1e3",
                "0x1f",
                "-",
                "",
                " a",
                "a: b",
                "a #b",
                "*",
                "&a",
                "!t",
                "%",
                "@x",
                "`",
                "{a}",
                "[b]",
                "- a",
                "2023-01-01",
                "12:30",
                "1_000",
                ".5",
                ".inf",
                "a\"b\\c",
                "line\nline\n",
                "line\nline",
                "\n",
                "a\n\nb",
                " a\n b\n",
                "tab\tx\n\ty",
                "ü",
                "10%",
                "100Gi",
                "0s",
                "00s",
                "=",
                "a/b.c-d_e@f"
            })
    void textsComeBackAsTheyAre(String text) {
        var tree = Tree.of("a", text).putTextList("b", List.of(text)).put("c", Tree.of(text, "x"));
        var back = read(YamlWriter.text(tree.mapping()));

        assertThat(JsonWriter.text(back)).isEqualTo(JsonWriter.text(tree.mapping()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "off", "12:30", "1_000", "0o7", "007", "2023-01-01"})
    void whatOlderYamlTakesForSomethingElseStandsInQuotes(String text) {
        assertThat(YamlWriter.text(Tree.of("a", text).mapping()))
                .isEqualTo("a: \"%s\"\n".formatted(text));
    }

    @Test
    void blocksAreNestedAsKubectlDoes() {
        var yaml =
                """
                a:
                  b: 1
                  c:
                  - d: e
                    f:
                    - g
                    - - h
                  - true
                i: {}
                j: []
                k: null
                """;

        assertThat(YamlWriter.text(read(yaml))).isEqualTo(yaml);
    }
}
