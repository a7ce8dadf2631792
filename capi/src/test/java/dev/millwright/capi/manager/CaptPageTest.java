package dev.millwright.capi.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.runtime.flag.CommandFlag;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The page shows what the code has. With `-Dmillwright.docs=write` its tables are written.
final class CaptPageTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "capt-manager.md");

    @Test
    void theTableOfFlagsIsTheCodes() throws IOException {
        var rows = Stream.of(CaptFlag.values()).map(CaptPageTest::row);
        hasTable(
                "flags",
                Stream.concat(Stream.of("| flag | default | meaning |", "|---|---|---|"), rows)
                        .toList());
    }

    private static String row(CaptFlag flag) {
        var words =
                flag.kind() == CommandFlag.Kind.CHOICE
                        ? " One of `%s`.".formatted(String.join("`, `", flag.choices()))
                        : "";
        return "| `--%s` | %s | %s%s |"
                .formatted(
                        flag.flagName(),
                        flag.defaultText().isEmpty() ? "–" : "`" + flag.defaultText() + "`",
                        flag.help(),
                        words);
    }

    @Test
    void theTableOfMetricsIsTheCodes() throws IOException {
        var rows =
                CaptFamilies.all().stream()
                        .map(
                                family ->
                                        "| `%s` | %s | %s | %s |"
                                                .formatted(
                                                        family.name(),
                                                        family.type()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT),
                                                        family.labels().stream()
                                                                .map(label -> "`" + label + "`")
                                                                .collect(Collectors.joining(", ")),
                                                        family.help()));
        hasTable(
                "metrics",
                Stream.concat(
                                Stream.of(
                                        "| name | type | labels | meaning |", "|---|---|---|---|"),
                                rows)
                        .toList());
    }

    private static void hasTable(String name, List<String> rows) throws IOException {
        var begin = "<!-- %s, made from code: begin -->\n".formatted(name);
        var end = "<!-- %s, made from code: end -->\n".formatted(name);
        var text = Files.readString(PAGE);
        var from = text.indexOf(begin) + begin.length();
        var to = text.indexOf(end);
        var table = String.join("\n", rows) + "\n";
        if (System.getProperty("millwright.docs", "").equals("write")) {
            Files.writeString(PAGE, text.substring(0, from) + table + text.substring(to));
        }
        var now = Files.readString(PAGE);
        assertThat(now.substring(now.indexOf(begin) + begin.length(), now.indexOf(end)))
                .as("the table of %s; -Dmillwright.docs=write on this test mends it", name)
                .isEqualTo(table);
    }
}
