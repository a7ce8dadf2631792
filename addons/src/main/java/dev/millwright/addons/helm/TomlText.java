package dev.millwright.addons.helm;

import dev.millwright.kube.document.Value;

import java.math.BigDecimal;
import java.util.Map;

/// Objects as TOML, the one format of which Helm's engine keeps whole numbers whole: from YAML and
/// JSON it makes floats, which print as `1e+06` and cannot be compared with `5`. Nulls, which TOML
/// has no word for, are left out, and print the same.
final class TomlText {

    private final StringBuilder text = new StringBuilder();

    private TomlText() {}

    static String of(Value.Mapping mapping) {
        var toml = new TomlText();
        mapping.fields().forEach(toml::line);
        return toml.text.toString();
    }

    private void line(String key, Value value) {
        if (!(value instanceof Value.Nothing)) {
            entry(key, value);
            text.append('\n');
        }
    }

    private void entry(String key, Value value) {
        quoted(key);
        text.append(" = ");
        value(value);
    }

    private void value(Value value) {
        switch (value) {
            case Value.Text(_, var words) -> quoted(words);
            case Value.Numeral(_, var number) -> number(number);
            case Value.Flag(_, var isTrue) -> text.append(isTrue);
            case Value.Nothing(_) -> quoted("");
            case Value.Sequence(_, var elements) -> {
                text.append('[');
                for (var element : elements) {
                    value(element);
                    text.append(", ");
                }
                text.append(']');
            }
            case Value.Mapping(_, var fields) -> table(fields);
        }
    }

    private void table(Map<String, Value> fields) {
        text.append('{');
        var separator = "";
        for (var field : fields.entrySet()) {
            if (!(field.getValue() instanceof Value.Nothing)) {
                text.append(separator);
                entry(field.getKey(), field.getValue());
                separator = ", ";
            }
        }
        text.append('}');
    }

    /// A whole number that does not fit 64 bits becomes a float, as in Go.
    private void number(String number) {
        var decimal = new BigDecimal(number);
        var isWhole = number.indexOf('.') < 0 && number.indexOf('e') < 0 && number.indexOf('E') < 0;
        if (isWhole && decimal.toBigInteger().bitLength() < Long.SIZE) {
            text.append(decimal.toBigInteger());
        } else {
            var plain = decimal.toPlainString();
            text.append(plain.indexOf('.') < 0 ? plain + ".0" : plain);
        }
    }

    private void quoted(String words) {
        text.append('"');
        for (var index = 0; index < words.length(); index++) {
            var letter = words.charAt(index);
            if (letter == '"' || letter == '\\') {
                text.append('\\').append(letter);
            } else if (letter < ' ' || letter == 0x7f) {
                text.append("\\u%04x".formatted((int) letter));
            } else {
                text.append(letter);
            }
        }
        text.append('"');
    }
}
