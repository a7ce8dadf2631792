package dev.millwright.providers.aws.bootstrap;

import dev.millwright.kube.document.Value;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Writes a mapping as YAML in block style. A text that might be read as anything else is quoted.
final class YamlText {

    /// Begins like nothing but text, and holds nothing that ends a plain scalar.
    private static final Pattern PLAIN =
            Pattern.compile("(?:[A-Za-z/_]|--[a-z])[-A-Za-z0-9_./=,:%+\"@]*[-A-Za-z0-9_/=%+\"]");

    /// Words that YAML takes for something else than text, in any case.
    private static final Pattern WORD =
            Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|inf|nan");

    private YamlText() {}

    static String of(Value.Mapping mapping) {
        var text = new StringBuilder();
        write(mapping.fields(), "", text);
        return text.toString();
    }

    private static void write(Map<String, Value> fields, String margin, StringBuilder text) {
        fields.forEach(
                (name, value) -> {
                    text.append(margin).append(scalar(name)).append(':');
                    switch (value) {
                        case Value.Mapping(_, var children) when !children.isEmpty() -> {
                            text.append('\n');
                            write(children, margin + "  ", text);
                        }
                        case Value.Sequence(_, var elements) when !elements.isEmpty() -> {
                            text.append('\n');
                            write(elements, margin, text);
                        }
                        case Value other -> text.append(' ').append(flat(other)).append('\n');
                    }
                });
    }

    private static void write(List<Value> elements, String margin, StringBuilder text) {
        for (var element : elements) {
            if (element instanceof Value.Mapping(_, var fields) && !fields.isEmpty()) {
                var block = new StringBuilder();
                write(fields, margin + "  ", block);
                text.append(margin).append("- ").append(block.substring(margin.length() + 2));
            } else {
                text.append(margin).append("- ").append(flat(element)).append('\n');
            }
        }
    }

    /// What stands on one line.
    private static String flat(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> scalar(text);
            case Value.Numeral(_, var text) -> text;
            case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
            case Value.Nothing(_) -> "null";
            case Value.Sequence(_, var elements) ->
                    "[" + String.join(", ", elements.stream().map(YamlText::flat).toList()) + "]";
            case Value.Mapping(_, var fields) ->
                    "{"
                            + String.join(
                                    ", ",
                                    fields.entrySet().stream()
                                            .map(
                                                    entry ->
                                                            scalar(entry.getKey())
                                                                    + ": "
                                                                    + flat(entry.getValue()))
                                            .toList())
                            + "}";
        };
    }

    private static String scalar(String text) {
        var isPlain = PLAIN.matcher(text).matches() && !WORD.matcher(text).matches();
        return isPlain ? text : quoted(text);
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
                                case '\t' -> quoted.append("\\t");
                                default -> {
                                    if (letter < ' ' || letter == 0x7f) {
                                        quoted.append("\\x%02x".formatted(letter));
                                    } else {
                                        quoted.appendCodePoint(letter);
                                    }
                                }
                            }
                        });
        return quoted.append('"').toString();
    }
}
