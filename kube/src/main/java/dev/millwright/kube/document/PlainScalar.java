package dev.millwright.kube.document;

import java.util.regex.Pattern;

/// What a YAML word without quotes means, by YAML 1.2: `yes` and `on` are words, as their writers
/// meant them.
final class PlainScalar {

    private static final Pattern NUMBER =
            Pattern.compile(
                    "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+");

    private PlainScalar() {}

    static Value of(Position position, String text) {
        return switch (text) {
            case "", "~", "null", "Null", "NULL" -> new Value.Nothing(position);
            case "true", "True", "TRUE" -> new Value.Flag(position, true);
            case "false", "False", "FALSE" -> new Value.Flag(position, false);
            default ->
                    isNumber(text)
                            ? new Value.Numeral(position, text)
                            : new Value.Text(position, text);
        };
    }

    private static boolean isNumber(String text) {
        var first = text.charAt(0);
        var mayBe = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
        return mayBe && text.length() <= Limits.NUMBER_LENGTH_MAX && NUMBER.matcher(text).matches();
    }
}
