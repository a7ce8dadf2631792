package dev.millwright.cli;

import dev.millwright.providers.aws.doctor.Check;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Shows what the doctor found: what there is first, then what to type.
final class DoctorText {

    private DoctorText() {}

    static void show(List<Check> checks, OutputFormat format, Terminal terminal) {
        switch (format) {
            case TABLE, WIDE -> table(checks, terminal);
            case JSON -> ResultText.json(result(checks), terminal.out());
            case YAML -> ResultText.yaml(result(checks), terminal.out());
        }
        terminal.flush();
    }

    private static void table(List<Check> checks, Terminal terminal) {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("CHECK"),
                                TextTable.left("STATE"),
                                TextTable.left("FOUND")));
        checks.forEach(check -> table.row(check.name(), word(check.state()), check.found()));
        table.print(terminal.out());
        for (var check : checks) {
            if (check.state() == Check.State.FIX && !check.fix().isEmpty()) {
                terminal.out().println();
                terminal.out().println("# " + check.name());
                check.fix().forEach(terminal.out()::println);
            }
        }
        var broken = checks.stream().filter(check -> check.state() == Check.State.FIX).count();
        terminal.out().println();
        terminal.out()
                .println(
                        broken == 0
                                ? "Nothing must be fixed."
                                : "%d of %d checks must be fixed."
                                        .formatted(broken, checks.size()));
    }

    private static String word(Check.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> result(List<Check> checks) {
        return Map.of("checks", checks.stream().map(DoctorText::row).toList());
    }

    private static Map<String, @Nullable Object> row(Check check) {
        var row = new LinkedHashMap<String, @Nullable Object>();
        row.put("name", check.name());
        row.put("ok", check.state() != Check.State.FIX);
        row.put("state", word(check.state()));
        row.put("found", check.found());
        row.put("fix", check.fix().isEmpty() ? null : String.join("\n", check.fix()));
        return row;
    }
}
