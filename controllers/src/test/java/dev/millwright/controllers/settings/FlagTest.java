package dev.millwright.controllers.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.ReferencePage;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class FlagTest {

    @Test
    void theReferenceShowsEveryFlag() throws IOException {
        var head = Stream.of("| flag | variable | default | meaning |", "|---|---|---|---|");
        var rows =
                Stream.of(Flag.values())
                        .map(
                                flag ->
                                        "| `--%s` | `%s` | %s | %s%s |"
                                                .formatted(
                                                        flag.flagName(),
                                                        flag.variable(),
                                                        quoted(flag.defaultText()),
                                                        flag.help(),
                                                        words(flag)));
        ReferencePage.hasTable("settings.md", Stream.concat(head, rows).toList());
    }

    private static String quoted(String text) {
        return text.isEmpty() ? "–" : "`" + text.replace(",", "`, `") + "`";
    }

    private static String words(Flag flag) {
        return flag.kind() == Flag.Kind.CHOICE
                ? " One of `%s`.".formatted(flag.valueLabel().replace("|", "`, `"))
                : "";
    }

    @Test
    void variablesOfOursCarryOurName() {
        assertThat(Stream.of(Flag.values()).map(Flag::variable))
                .contains("MILLWRIGHT_PROVIDER", "MILLWRIGHT_PACKING", "MILLWRIGHT_DRY_RUN")
                .contains("METRICS_PORT", "INSTANCE_TYPES_FILE_PATH");
    }

    @Test
    void everyFlagIsFoundByItsName() {
        assertThat(Stream.of(Flag.values()).map(flag -> Flag.named(flag.flagName())))
                .containsExactly(Flag.values());
        assertThat(Flag.named("hello")).isNull();
    }

    @Test
    void everyDefaultIsReadAsTheFlagsOwnValue() {
        var given =
                Stream.of(Flag.values())
                        .collect(Collectors.toMap(Flag::flagName, Flag::defaultText));
        assertThat(SettingsReader.read(given, Map.of()))
                .isEqualTo(new SettingsReader.Reading(SettingsReader.defaults(), List.of()));
    }
}
