package dev.millwright.kube.document;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Writes values as YAML in blocks, fields in their order. Texts that YAML 1.1 would take for
/// something else, as kubectl does, are put in quotes.
public final class YamlWriter {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/.$_][A-Za-z0-9/._@+$-]*");

    /// Amounts and durations: no parser takes them for numbers.
    private static final Pattern AMOUNT = Pattern.compile("[1-9][0-9]*([KMGT]i|[smhKMGT%])|0s");

    private static final Set<String> WORDS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf");

    private static final Pattern NUMBER_LIKE = Pattern.compile("[.0-9+-].*");

    private final StringBuilder out = new StringBuilder();

    private YamlWriter() {}

    /// One document, without dashes before it.
    public static String text(Value value) {
        var writer = new YamlWriter();
        switch (value) {
            case Value.Mapping(_, var fields) when !fields.isEmpty() ->
                    writer.block(value, 0, false);
            case Value.Sequence(_, var elements) when !elements.isEmpty() ->
                    writer.block(value, 0, false);
            case Value other -> writer.out.append(inline(other)).append('\n');
        }
        return writer.out.toString();
    }

    /// @param isBegun whether the first line has its indent already
    private void block(Value value, int indent, boolean isBegun) {
        var isFirst = isBegun;
        if (value instanceof Value.Mapping(_, var fields)) {
            for (var field : fields.entrySet()) {
                indent(isFirst ? 0 : indent);
                isFirst = false;
                out.append(scalar(field.getKey())).append(':');
                below(field.getValue(), indent);
            }
        } else if (value instanceof Value.Sequence(_, var elements)) {
            for (var element : elements) {
                indent(isFirst ? 0 : indent);
                isFirst = false;
                out.append("- ");
                if (isBlock(element)) {
                    block(element, indent + 2, true);
                } else {
                    out.append(inline(element)).append('\n');
                }
            }
        }
    }

    private void below(Value value, int indent) {
        if (isBlock(value)) {
            out.append('\n');
            block(value, value instanceof Value.Sequence ? indent : indent + 2, false);
        } else if (value instanceof Value.Text(_, var text) && isLiteral(text)) {
            out.append(text.endsWith("\n") ? " |\n" : " |-\n");
            text.lines()
                    .forEach(
                            line -> {
                                indent(line.isEmpty() ? 0 : indent + 2);
                                out.append(line).append('\n');
                            });
        } else {
            out.append(' ').append(inline(value)).append('\n');
        }
    }

    private static boolean isBlock(Value value) {
        return switch (value) {
            case Value.Mapping(_, var fields) -> !fields.isEmpty();
            case Value.Sequence(_, var elements) -> !elements.isEmpty();
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> false;
        };
    }

    /// Lines that come back as they are: none that is odd at its begin or end.
    private static boolean isLiteral(String text) {
        return text.indexOf('\n') > 0
                && !text.startsWith(" ")
                && !text.endsWith("\n\n")
                && text.lines().noneMatch(line -> line.endsWith(" ") || line.startsWith("\t"))
                && text.chars().allMatch(c -> c == '\n' || c == '\t' || (c >= ' ' && c < 127));
    }

    private static String inline(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> scalar(text);
            case Value.Numeral _, Value.Flag _, Value.Nothing _ -> JsonWriter.text(value);
            case Value.Sequence _ -> "[]";
            case Value.Mapping _ -> "{}";
        };
    }

    private static String scalar(String text) {
        var isWord =
                PLAIN.matcher(text).matches()
                        && !NUMBER_LIKE.matcher(text).matches()
                        && !WORDS.contains(text.toLowerCase(Locale.ROOT));
        var isPlain = isWord || AMOUNT.matcher(text).matches();
        return isPlain ? text : JsonWriter.text(new Value.Text(Position.NOWHERE, text));
    }

    private void indent(int columns) {
        out.repeat(' ', columns);
    }
}
