package dev.millwright.kube.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

final class JsonReaderTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(bytes(text));
    }

    /// Ends with a failure of the wire instead of an end.
    private static InputStream broken(String text) {
        return new InputStream() {
            private final InputStream whole = stream(text);

            @Override
            public int read() throws IOException {
                var read = whole.read();
                if (read < 0) {
                    throw new IOException("read past what was there");
                }
                return read;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                var read = whole.read(buffer, offset, length);
                if (read < 0) {
                    throw new IOException("read past what was there");
                }
                return read;
            }
        };
    }

    @Test
    void equalObjectsAreEqualWhereverTheyStood() throws IOException {
        var one = JsonReader.object(bytes("{\"a\": [1, true, null, {\"b\": \"c\"}]}"));
        var other = JsonReader.object(bytes("\n  {\"a\":[1,true,null,{\"b\":\"c\"}]}\n"));

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.position()).isEqualTo(Position.NOWHERE);
    }

    @Test
    void equalShortTextsAreOneValue() throws IOException {
        var object = JsonReader.object(bytes("{\"a\": \"amd64\", \"b\": \"amd64\"}"));

        assertThat(object.fields().get("a")).isSameAs(object.fields().get("b"));
    }

    @Test
    void managedFieldsAreSkippedInMetadataAndNowhereElse() throws IOException {
        var object =
                JsonReader.object(
                        bytes(
                                """
                                {"metadata": {"managedFields": [{"manager": "x"}], "name": "a"},
                                 "spec": {"managedFields": 1}}
                                """));

        assertThat(object)
                .isEqualTo(
                        Tree.of("metadata", Tree.of("name", "a"))
                                .put("spec", Tree.of().put("managedFields", 1))
                                .mapping());
    }

    @Test
    void anObjectIsGivenAsSoonAsItsLastByteIsThere() throws IOException {
        try (var reader = new JsonReader(broken("{\"type\":\"ADDED\"}"))) {
            assertThat(reader.next()).isEqualTo(Tree.of("type", "ADDED").mapping());
        }
    }

    @Test
    void objectsOfAWatchComeOneAfterAnother() throws IOException {
        try (var reader = new JsonReader(stream("{\"a\":1}\n{\"a\":2}\n"))) {
            assertThat(reader.next()).isEqualTo(Tree.of().put("a", 1).mapping());
            assertThat(reader.next()).isEqualTo(Tree.of().put("a", 2).mapping());
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void aWatchCutInsideAnObjectIsNoProperEnd() throws IOException {
        try (var reader = new JsonReader(stream("{\"a\":1}\n{\"a\":"))) {
            assertThat(reader.next()).isNotNull();
            assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void aListGivesItsItemsOneByOneAndTheRestAtTheEnd() throws IOException {
        var items = new ArrayList<Value.Mapping>();
        try (var reader =
                new JsonReader(
                        stream(
                                """
                                {"kind": "PodList", "items": [{"a": 1}, {"a": 2, "kind": "Own"}],
                                 "metadata": {"resourceVersion": "7"}}
                                """))) {
            var rest = reader.list(Tree.of("kind", "Pod").mapping(), items::add);

            assertThat(rest)
                    .isEqualTo(
                            Tree.of("kind", "PodList")
                                    .put("metadata", Tree.of("resourceVersion", "7"))
                                    .mapping());
        }
        assertThat(items)
                .isEqualTo(
                        List.of(
                                Tree.of("kind", "Pod").put("a", 1).mapping(),
                                Tree.of("kind", "Own").put("a", 2).mapping()));
    }

    @Test
    void aListWithoutItemsIsEmpty() throws IOException {
        try (var reader = new JsonReader(stream("{\"items\": null}"))) {
            var items = new ArrayList<Value.Mapping>();
            reader.list(Tree.of("kind", "Pod").mapping(), items::add);

            assertThat(items).isEmpty();
        }
    }

    @Test
    void whatIsNoObjectIsRefusedWithoutQuotingIt() {
        assertThatThrownBy(() -> JsonReader.object(bytes("[1]")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("wanted a JSON object");
        assertThatThrownBy(() -> JsonReader.object(bytes("<html>secret</html>")))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("secret")
                .hasNoCause();
        assertThatThrownBy(() -> JsonReader.object(bytes(""))).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> JsonReader.object(bytes("{} {}")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("longer than one");
    }

    @Test
    void anObjectDeeperThanTheBoundIsRefused() {
        var deep = "{\"a\":".repeat(101) + "1" + "}".repeat(101);

        assertThatThrownBy(() -> JsonReader.object(bytes(deep))).isInstanceOf(IOException.class);
    }
}
