package dev.millwright.kube.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

final class JsonWriterTest {

    private static Value numeral(String text) {
        return new Value.Numeral(Position.NOWHERE, text);
    }

    @Test
    void fieldsAreWrittenInTheirOrderWithoutSpaces() {
        var tree =
                Tree.of("kind", "Pod")
                        .put("count", 3)
                        .put("isReady", true)
                        .putNothing("gone")
                        .putTextList("names", List.of("b", "a"))
                        .put("metadata", Tree.of("name", "web").putTexts("labels", Map.of()));

        assertThat(JsonWriter.text(tree.mapping()))
                .isEqualTo(
                        "{\"kind\":\"Pod\",\"count\":3,\"isReady\":true,\"gone\":null,"
                                + "\"names\":[\"b\",\"a\"],"
                                + "\"metadata\":{\"name\":\"web\",\"labels\":{}}}");
    }

    @Test
    void numbersKeepEveryDigit() {
        var long20 = "12345678901234567890.12345678901234567890";

        assertThat(JsonWriter.text(numeral(long20))).isEqualTo(long20);
        assertThat(JsonWriter.text(numeral("1e-7"))).isEqualTo("1e-7");
    }

    @Test
    void numbersThatOnlyYamlKnowsBecomeThoseOfJson() {
        assertThat(JsonWriter.text(numeral("+1"))).isEqualTo("1");
        assertThat(JsonWriter.text(numeral(".5"))).isEqualTo("0.5");
        assertThat(JsonWriter.text(numeral("0x1f"))).isEqualTo("31");
        assertThat(JsonWriter.text(numeral("0o17"))).isEqualTo("15");
        assertThat(JsonWriter.text(numeral("007"))).isEqualTo("7");
    }

    @Test
    void quotesControlCharactersAndOtherAlphabetsSurvive() throws IOException {
        var object = Tree.of("a\"b", "line\none\ttwo \u0001 ü 語 😀").mapping();

        assertThat(JsonReader.object(JsonWriter.bytes(object))).isEqualTo(object);
    }

    @Test
    void theStreamStaysOpen() throws IOException {
        var bytes = new ByteArrayOutputStream();
        JsonWriter.write(Tree.text("a"), bytes);
        JsonWriter.write(Tree.text("b"), bytes);

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("\"a\"\"b\"");
    }
}
