package dev.millwright.dashboard.page;

import java.util.LinkedHashMap;
import java.util.Map;

/// Reads one JSON object whose values are texts, numbers and booleans, which is all that a visitor
/// sends. Anything else is refused with the place where it stands.
final class FlatJson {

    private static final int FIELDS_MAX = 16;

    private final String text;
    private int at;

    private FlatJson(String text) {
        this.text = text;
    }

    /// Values are [String], [Double] or [Boolean].
    static Map<String, Object> read(String text) {
        var reader = new FlatJson(text);
        var fields = reader.object();
        reader.space();
        if (reader.at < text.length()) {
            throw reader.wrong("the end");
        }
        return fields;
    }

    private Map<String, Object> object() {
        var fields = new LinkedHashMap<String, Object>();
        space();
        expect('{');
        space();
        if (peek() == '}') {
            at++;
            return fields;
        }
        while (true) {
            space();
            var name = quoted();
            space();
            expect(':');
            space();
            if (fields.put(name, value()) != null || fields.size() > FIELDS_MAX) {
                throw wrong("each field once, and at most " + FIELDS_MAX);
            }
            space();
            if (peek() == '}') {
                at++;
                return fields;
            }
            expect(',');
        }
    }

    private Object value() {
        return switch (peek()) {
            case '"' -> quoted();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            default -> number();
        };
    }

    private boolean word(String word, boolean value) {
        if (!text.startsWith(word, at)) {
            throw wrong("true or false");
        }
        at += word.length();
        return value;
    }

    private Double number() {
        var begin = at;
        while ("+-.0123456789eE".indexOf(peek()) >= 0) {
            at++;
        }
        try {
            return Double.valueOf(text.substring(begin, at));
        } catch (NumberFormatException none) {
            at = begin;
            throw wrong("a text, a number, true or false");
        }
    }

    private String quoted() {
        expect('"');
        var value = new StringBuilder();
        while (peek() != '"') {
            if (peek() < ' ') {
                throw wrong("the end of a text");
            }
            value.append(peek() == '\\' ? escaped() : text.charAt(at++));
        }
        at++;
        return value.toString();
    }

    private char escaped() {
        at++;
        var letter = peek();
        at++;
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> throw wrong("an escape that JSON knows");
        };
    }

    private char unicode() {
        try {
            var code = Integer.parseInt(text.substring(at, at + 4), 16);
            at += 4;
            return (char) code;
        } catch (IndexOutOfBoundsException | NumberFormatException broken) {
            throw wrong("four hexadecimal digits");
        }
    }

    private void space() {
        while (" \t\r\n".indexOf(peek()) >= 0) {
            at++;
        }
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw wrong("'" + wanted + "'");
        }
        at++;
    }

    /// The next character; NUL at the end, which no JSON holds.
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException(
                "the body is not the JSON object we want: at character %d, wanted %s"
                        .formatted(at + 1, wanted));
    }
}
