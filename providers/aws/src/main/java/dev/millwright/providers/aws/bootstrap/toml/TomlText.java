package dev.millwright.providers.aws.bootstrap.toml;

import dev.millwright.kube.document.Value;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Writes a mapping as TOML, its keys in alphabetical order: what is the same is written the same.
public final class TomlText {

    private TomlText() {}

    public static String of(Value.Mapping mapping) {
        var text = new StringBuilder();
        table(mapping.fields(), "", text);
        return text.toString();
    }

    static boolean isBare(int letter) {
        return (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')
                || (letter >= '0' && letter <= '9')
                || letter == '-'
                || letter == '_';
    }

    /// Values first, since a header takes all that follows it.
    private static void table(SequencedMap<String, Value> fields, String path, StringBuilder text) {
        var sorted = new TreeMap<>(fields);
        sorted.forEach(
                (name, value) -> {
                    if (!isTable(value) && !isListOfTables(value)) {
                        text.append(key(name)).append(" = ").append(flat(value)).append('\n');
                    }
                });
        sorted.forEach(
                (name, value) -> {
                    var child = path.isEmpty() ? key(name) : path + "." + key(name);
                    if (value instanceof Value.Mapping(_, var children)) {
                        if (children.isEmpty() || hasValues(children)) {
                            header("[" + child + "]", text);
                        }
                        table(children, child, text);
                    } else if (value instanceof Value.Sequence(_, var elements)
                            && isListOfTables(value)) {
                        for (var element : elements) {
                            header("[[" + child + "]]", text);
                            table(((Value.Mapping) element).fields(), child, text);
                        }
                    }
                });
    }

    private static void header(String header, StringBuilder text) {
        text.append(text.isEmpty() ? "" : "\n").append(header).append('\n');
    }

    private static boolean hasValues(Map<String, Value> fields) {
        return fields.values().stream().anyMatch(each -> !isTable(each) && !isListOfTables(each));
    }

    private static boolean isTable(Value value) {
        return value instanceof Value.Mapping;
    }

    private static boolean isListOfTables(Value value) {
        return value instanceof Value.Sequence(_, var elements)
                && !elements.isEmpty()
                && elements.stream().allMatch(TomlText::isTable);
    }

    private static String key(String name) {
        return !name.isEmpty() && name.chars().allMatch(TomlText::isBare) ? name : quoted(name);
    }

    /// What stands on one line. TOML has no null: nobody can have written one.
    private static String flat(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> quoted(text);
            case Value.Numeral(_, var text) -> text;
            case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
            case Value.Nothing _ -> "\"\"";
            case Value.Sequence(_, var elements) -> array(elements);
            case Value.Mapping(_, var fields) ->
                    new TreeMap<>(fields)
                            .entrySet().stream()
                                    .map(each -> key(each.getKey()) + " = " + flat(each.getValue()))
                                    .collect(Collectors.joining(", ", "{ ", " }"));
        };
    }

    private static String array(List<Value> elements) {
        return elements.stream().map(TomlText::flat).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(
                        letter -> {
                            switch (letter) {
                                case '"' -> quoted.append("\\\"");
                                case '\\' -> quoted.append("\\\\");
                                case '\n' -> quoted.append("\\n");
                                case '\r' -> quoted.append("\\r");
                                case '\t' -> quoted.append("\\t");
                                default -> {
                                    if (letter < ' ' || letter == 0x7f) {
                                        quoted.append("\\u%04x".formatted(letter));
                                    } else {
                                        quoted.appendCodePoint(letter);
                                    }
                                }
                            }
                        });
        return quoted.append('"').toString();
    }
}
