package dev.millwright.testing.e2e.chart;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Rows of the reference, from a chart's values and the comments beside them.
///
/// A comment that begins with two dashes is about the key below it, up to the next line without a
/// comment; what has no such comment is not a value of its own.
final class ValuesPage {

    private static final Pattern KEY = Pattern.compile("( *)([A-Za-z][A-Za-z0-9-]*):.*");
    private static final String MARK = "# -- ";
    private static final int DEFAULT_LETTERS_MAX = 60;

    private ValuesPage() {}

    static List<String> rows(Path chart) {
        var rows = new ArrayList<String>();
        rows.add("| value | default | meaning |");
        rows.add("|---|---|---|");
        var values = mapping(chart.resolve("values.yaml"));
        comments(chart.resolve("values.yaml"))
                .forEach(
                        (path, words) ->
                                rows.add(
                                        "| `%s` | %s | %s |"
                                                .formatted(path, shown(values, path), words)));
        return rows;
    }

    /// By path, in the order of the file.
    static SequencedMap<String, String> comments(Path file) {
        var comments = new LinkedHashMap<String, String>();
        var parents = new ArrayList<String>();
        var words = new StringBuilder();
        for (var line : Charts.text(file).lines().toList()) {
            var text = line.strip();
            if (text.startsWith(MARK)) {
                words.append(text.substring(MARK.length()));
                continue;
            }
            if (text.startsWith("# ") && !words.isEmpty()) {
                words.append(text.substring(1));
                continue;
            }
            var key = KEY.matcher(line);
            if (!key.matches()) {
                continue;
            }
            var depth = key.group(1).length() / 2;
            while (parents.size() > depth) {
                parents.removeLast();
            }
            parents.add(key.group(2));
            if (!words.isEmpty()) {
                comments.put(String.join(".", parents), words.toString());
                words.setLength(0);
            }
        }
        return comments;
    }

    static Value.Mapping mapping(Path file) {
        return (Value.Mapping) DocumentReader.readAll(Source.file(file)).getFirst();
    }

    private static String shown(Value.Mapping values, String path) {
        Value here = values;
        for (var field : path.split("\\.", -1)) {
            here = ((Value.Mapping) here).fields().get(field);
        }
        var text = JsonWriter.text(here);
        if (text.equals("\"\"") || text.equals("null")) {
            return "–";
        }
        return text.length() > DEFAULT_LETTERS_MAX
                ? "see `values.yaml`"
                : "`%s`".formatted(here instanceof Value.Text(_, var plain) ? plain : text);
    }

    /// Values of older charts, by path, and what becomes of them.
    static List<String> oldRows(Value.Mapping schema) {
        var found = new TreeMap<String, String>();
        collect("", Rendered.mapping(schema, "properties"), found);
        var rows = new ArrayList<String>();
        rows.add("| old value | what becomes of it |");
        rows.add("|---|---|");
        found.forEach((path, words) -> rows.add("| `%s` | %s |".formatted(path, words)));
        return rows;
    }

    private static void collect(
            String prefix, Value.Mapping properties, SequencedMap<String, String> found) {
        properties
                .fields()
                .forEach(
                        (name, property) -> {
                            var schema = (Value.Mapping) property;
                            if (schema.fields().containsKey("deprecated")) {
                                found.put(prefix + name, Rendered.text(schema, "description"));
                            }
                            if (schema.fields().get("properties") instanceof Value.Mapping more) {
                                collect(prefix + name + ".", more, found);
                            }
                        });
    }

    /// All paths of a schema, sorted; one that holds others ends in a dot.
    static List<String> keys(String prefix, Value.Mapping properties) {
        var keys = new ArrayList<String>();
        properties
                .fields()
                .forEach(
                        (name, property) -> {
                            var schema = (Value.Mapping) property;
                            if (schema.fields().get("properties") instanceof Value.Mapping more) {
                                keys.add(prefix + name + ".");
                                keys.addAll(keys(prefix + name + ".", more));
                            } else {
                                keys.add(prefix + name);
                            }
                        });
        return keys.stream().sorted().toList();
    }
}
