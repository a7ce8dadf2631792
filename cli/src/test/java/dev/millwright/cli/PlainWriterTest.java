package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.PrintWriter;
import java.io.StringWriter;

final class PlainWriterTest {

    private static String written(boolean isColoured, String text) {
        var out = new StringWriter();
        var writer = new PrintWriter(new PlainWriter(out, isColoured));
        writer.print(text);
        writer.flush();
        return out.toString();
    }

    @Test
    void linesAndTabsPassAsTheyAre() {
        assertThat(written(false, "a\tb\nc é █")).isEqualTo("a\tb\nc é █");
    }

    @Test
    void coloursPassWhereTheyAreShown() {
        assertThat(written(true, "\u001b[1mNodes\u001b[0m \u001b[32mok\u001b[0m"))
                .isEqualTo("\u001b[1mNodes\u001b[0m \u001b[32mok\u001b[0m");
        assertThat(written(false, "\u001b[1mNodes")).isEqualTo("\\u001b[1mNodes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b]0;title\u0007",
                "\u001b[2J",
                "\u001b[8mhidden",
                "\u001b[1A",
                "\u001b",
                "\u001b[",
                "\u001b[31",
                "\u009b31m",
                "\u202eturned",
                "\rover",
                "\b\b"
            })
    void whatMovesTurnsOrHidesIsWrittenOut(String text) {
        assertThat(written(true, text))
                .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\r", "\b")
                .startsWith("\\u");
    }
}
