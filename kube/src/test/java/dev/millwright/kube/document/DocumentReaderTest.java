package dev.millwright.kube.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

class DocumentReaderTest {

    private static byte[] packed(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var stream = new GZIPOutputStream(bytes)) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void jsonAndYamlGiveTheSameValues() {
        var json = Collected.of("{\"a\": [1, \"x\", true, null], \"b\": {\"c\": \"d\"}}");
        var yaml = Collected.of("a:\n- 1\n- x\n- true\n- null\nb:\n  c: d\n");
        assertThat(shape(json.documents.getFirst())).isEqualTo(shape(yaml.documents.getFirst()));
    }

    private static String shape(Value value) {
        return value.toString().replaceAll("position=file:[0-9]+(, )?", "");
    }

    @Test
    void aValueKnowsItsLineAndColumn() {
        var mapping = (Value.Mapping) Collected.of("a: 1\nb:\n  c: x\n").documents.getFirst();
        var inner = (Value.Mapping) mapping.fields().get("b");
        assertThat(inner.fields().get("c").position()).isEqualTo(new Position("file", 3, 6));
    }

    @Test
    void aJsonValueKnowsItsLineAndColumn() {
        var mapping = (Value.Mapping) Collected.of("{\n \"a\": \"x\"}").documents.getFirst();
        assertThat(mapping.fields().get("a").position()).isEqualTo(new Position("file", 2, 7));
    }

    @Test
    void gzipIsReadAsIs() throws IOException {
        var collected = Collected.of(Source.bytes("file", packed("{\"a\": 1}")));
        assertThat(collected.documents).hasSize(1);
    }

    @Test
    void gzipThatEndsEarlyIsTold() throws IOException {
        var whole = packed("{\"a\": \"" + "xyz".repeat(1000) + "\"}");
        var half = java.util.Arrays.copyOf(whole, whole.length / 2);
        assertThatThrownBy(() -> Collected.of(Source.bytes("file.gz", half)))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("file.gz: ends in the middle of its gzip stream");
    }

    @Test
    void listsAreStreamedInBothFormats() {
        assertThat(Collected.of("{\"items\": [1, 2], \"kind\": \"List\"}").elements).hasSize(2);
        assertThat(Collected.of("items: [1, 2]\nkind: List\n").elements).hasSize(2);
    }

    @Test
    void documentsFollowOneAnother() {
        assertThat(Collected.of("a: 1\n---\n---\nb: 2\n").documents).hasSize(2);
        assertThat(Collected.of("{\"a\": 1}\n{\"b\": 2}").documents).hasSize(2);
    }

    @Test
    void yamlInBracketsIsNotTakenForJson() {
        assertThat(Collected.of("{a: 1}").documents).hasSize(1);
    }

    @Test
    void mergedFieldsGiveWayToOwnOnes() {
        var yaml = "base: &base {a: 1, b: 2}\nmine:\n  <<: *base\n  b: 3\n";
        var mapping = (Value.Mapping) Collected.of(yaml).documents.getFirst();
        var mine = (Value.Mapping) mapping.fields().get("mine");
        assertThat(mine.fields().get("a")).isInstanceOf(Value.Numeral.class);
        assertThat(((Value.Numeral) mine.fields().get("b")).text()).isEqualTo("3");
    }

    @Test
    void wordsWithoutQuotesAreWhatYaml12Says() {
        var yaml = "[yes, 'true', true, 1.10, 1e3, ~, v1, 0x1F, 12e, .5]";
        var elements = ((Value.Sequence) Collected.of(yaml).documents.getFirst()).elements();
        assertThat(elements.stream().map(value -> value.getClass().getSimpleName()))
                .containsExactly(
                        "Text", "Text", "Flag", "Numeral", "Numeral", "Nothing", "Text", "Numeral",
                        "Text", "Numeral");
    }

    @Test
    void brokenJsonIsToldWithItsLine() {
        assertThatThrownBy(() -> Collected.of("{\"a\": 1,\n\"b\": }"))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("file:2: is not JSON: ");
    }

    @Test
    void brokenYamlIsToldWithItsLine() {
        assertThatThrownBy(() -> Collected.of("a: 1\nb: [\n"))
                .isInstanceOf(DocumentException.class)
                .hasMessageMatching("file:[23]: is not YAML: .*");
    }

    @Test
    void aFieldGivenTwiceIsTold() {
        assertThatThrownBy(() -> Collected.of("a: 1\na: 2\n"))
                .hasMessage("file:2: field \"a\" is given twice in one mapping; keep one of them");
        assertThatThrownBy(() -> Collected.of("{\"a\": 1,\n\"a\": 2}"))
                .hasMessage("file:2: field \"a\" is given twice in one mapping; keep one of them");
    }

    @Test
    void depthIsBounded() {
        assertThatThrownBy(() -> Collected.of("[\"\"," + "[".repeat(5_000)))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("goes past a bound");
        assertThatThrownBy(() -> Collected.of("a: " + "[".repeat(5_000)))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("more than 100 levels deep");
    }

    @Test
    void aliasesDoNotMultiply() {
        var laughs = new StringBuilder("a: &a [x, x, x, x, x, x, x, x, x, x]\n");
        for (var letter = 'b'; letter < 'k'; letter++) {
            var before = "*" + (char) (letter - 1);
            laughs.append("%c: &%c [%s]\n".formatted(letter, letter, (before + ",").repeat(10)));
        }
        assertThatThrownBy(() -> Collected.of(laughs.toString()))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("aliases stand for more than 100000 values");
    }

    @Test
    void anAliasOfItselfIsTold() {
        assertThatThrownBy(() -> Collected.of("a: &a [*a]\n"))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("alias *a names no value before it");
    }

    @Test
    void lengthIsBoundedAfterUnpacking() throws IOException {
        var bomb = packed("a: " + "x".repeat(100_000));
        assertThatThrownBy(
                        () ->
                                DocumentReader.read(
                                        Source.bytes("bomb", bomb), new Collected(), 10_000))
                .isInstanceOf(DocumentException.class)
                .hasMessage("bomb: is longer than 10000 bytes; split it into several files");
    }

    @Test
    void bytesThatAreNoTextAreTold() {
        var bytes = new byte[] {'a', ':', ' ', (byte) 0xff, (byte) 0xfe, 0, 1};
        assertThatThrownBy(() -> Collected.of(Source.bytes("noise", bytes)))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("noise");
    }

    @Test
    void anEmptyFileHoldsNothing() {
        assertThat(Collected.of("").documents).isEmpty();
        assertThat(Collected.of("# only a comment\n").documents).isEmpty();
    }

    @Test
    void aMissingFileIsToldWithTheWayOut(@TempDir Path directory) {
        var path = directory.resolve("nothing.yaml");
        assertThatThrownBy(() -> Collected.of(Source.file(path)))
                .isInstanceOf(DocumentException.class)
                .hasMessage(
                        path
                                + ": there is no such file; give the path of one, or - for standard input");
    }

    /// 200 KB that unpack to 200 MB of one word took more than a hundred seconds.
    @Test
    void aLineThatIsLongerThanIsSaneIsRefusedSoon() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var stream = new GZIPOutputStream(bytes)) {
            stream.write("a: ".getBytes(StandardCharsets.UTF_8));
            var letters = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            for (var count = 0; count < 200; count++) {
                stream.write(letters);
            }
        }
        assertThat(bytes.size()).isLessThan(210_000);
        assertThatThrownBy(() -> Collected.of(Source.bytes("bomb", bytes.toByteArray())))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("has a line of more than 4194304 bytes");
    }

    @Test
    void theLongestLineIsRead() {
        var documents = Collected.of("a: " + "x".repeat(4_000_000)).documents;
        assertThat(documents).hasSize(1);
    }
}
