package dev.millwright.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A page of `docs/reference` whose table is made from code. With `-Dmillwright.docs=write` the
/// table is written, else it is compared.
public final class ReferencePage {

    private static final Path FOLDER = Path.of("..", "docs", "reference");
    private static final String BEGIN = "<!-- made from code: begin -->\n";
    private static final String END = "<!-- made from code: end -->\n";

    private ReferencePage() {}

    public static void hasTable(String page, List<String> rows) throws IOException {
        var path = FOLDER.resolve(page);
        var text = Files.readString(path);
        var begin = text.indexOf(BEGIN) + BEGIN.length();
        var end = text.indexOf(END);
        var table = String.join("\n", rows) + "\n";
        if (System.getProperty("millwright.docs", "").equals("write")) {
            Files.writeString(path, text.substring(0, begin) + table + text.substring(end));
        } else {
            assertThat(text.substring(begin, end))
                    .as("the table of %s; -Dmillwright.docs=write on this test mends it", page)
                    .isEqualTo(table);
        }
    }
}
