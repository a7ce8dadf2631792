package dev.millwright.providers.aws.bootstrap.toml;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Reads TOML 1.0.
///
/// Numbers, dates and times are all kept as numerals, letter by letter as they were written: they
/// are only ever written back.
public final class TomlReader {

    /// Values within one another.
    private static final int DEPTH_MAX = 50;

    private static final String DIGITS = "[0-9](?:_?[0-9])*";
    private static final Pattern NUMBER =
            Pattern.compile(
                    "[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\\."
                            + DIGITS
                            + ")?(?:[eE][+-]?"
                            + DIGITS
                            + ")?|0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*"
                            + "|[+-]?(?:inf|nan)");

    private static final String TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?";
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern MOMENT =
            Pattern.compile(
                    DATE.pattern()
                            + "(?:[Tt ]"
                            + TIME
                            + "(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?)?|"
                            + TIME);

    private final TomlCursor cursor;

    private TomlReader(String text) {
        this.cursor = new TomlCursor(text);
    }

    public static Value.Mapping read(String text) throws TomlException {
        return new TomlReader(text.replace("\r\n", "\n")).document();
    }

    private Value.Mapping document() throws TomlException {
        var root = TomlTable.root(cursor.position());
        var table = root;
        while (true) {
            cursor.skipLines();
            if (cursor.isAtEnd()) {
                return root.value();
            }
            var at = cursor.position();
            if (cursor.take("[[")) {
                table = root.element(keys(), at);
                expect("]]", "the end of a table's name");
            } else if (cursor.take("[")) {
                table = root.header(keys(), at);
                expect("]", "the end of a table's name");
            } else {
                entry(table, 0);
            }
            cursor.endLine();
        }
    }

    private void entry(TomlTable table, int depth) throws TomlException {
        var at = cursor.position();
        var keys = keys();
        expect("=", "= and a value");
        cursor.skipBlanks();
        table.put(keys, value(depth), at);
    }

    private void expect(String token, String wanted) throws TomlException {
        cursor.skipBlanks();
        if (!cursor.take(token)) {
            throw cursor.unwanted(wanted);
        }
    }

    /// A key, in its pieces between dots.
    private List<String> keys() throws TomlException {
        var keys = new ArrayList<String>();
        do {
            cursor.skipBlanks();
            keys.add(key());
            cursor.skipBlanks();
        } while (cursor.take("."));
        return keys;
    }

    private String key() throws TomlException {
        if (cursor.peek() == '"' || cursor.peek() == '\'') {
            return cursor.quoted(false);
        }
        var bare = cursor.takeWhile(TomlText::isBare);
        if (bare.isEmpty()) {
            throw cursor.unwanted("a key");
        }
        return bare;
    }

    private Value value(int depth) throws TomlException {
        if (depth > DEPTH_MAX) {
            throw cursor.problem("more than %d values in one another".formatted(DEPTH_MAX));
        }
        var at = cursor.position();
        if (cursor.peek() == '"' || cursor.peek() == '\'') {
            return new Value.Text(at, cursor.quoted(true));
        }
        if (cursor.take("[")) {
            return array(at, depth);
        }
        if (cursor.take("{")) {
            return inlineTable(at, depth);
        }
        return word(at);
    }

    private Value array(Position at, int depth) throws TomlException {
        var elements = new ArrayList<Value>();
        while (true) {
            cursor.skipLines();
            if (cursor.take("]")) {
                return new Value.Sequence(at, elements);
            }
            elements.add(value(depth + 1));
            cursor.skipLines();
            if (!cursor.take(",") && cursor.peek() != ']') {
                throw cursor.unwanted("a comma or ]");
            }
        }
    }

    private Value inlineTable(Position at, int depth) throws TomlException {
        var table = TomlTable.root(at);
        cursor.skipBlanks();
        if (cursor.take("}")) {
            return table.value();
        }
        while (true) {
            entry(table, depth + 1);
            cursor.skipBlanks();
            if (cursor.take("}")) {
                return table.value();
            }
            if (!cursor.take(",")) {
                throw cursor.unwanted("a comma or }");
            }
        }
    }

    private Value word(Position at) throws TomlException {
        var word = cursor.takeWhile(TomlReader::isOfWord);
        // A date and its time may stand apart.
        if (DATE.matcher(word).matches() && cursor.isTimeNext()) {
            cursor.skipBlanks();
            word += " " + cursor.takeWhile(TomlReader::isOfWord);
        }
        if (word.equals("true") || word.equals("false")) {
            return new Value.Flag(at, word.equals("true"));
        }
        if (NUMBER.matcher(word).matches() || MOMENT.matcher(word).matches()) {
            return new Value.Numeral(at, word);
        }
        if (word.isEmpty()) {
            throw cursor.unwanted("a value");
        }
        throw new TomlException(
                at.line(),
                "found %s; wanted a value, and text in quotes".formatted(Shortened.of(word)));
    }

    private static boolean isOfWord(int letter) {
        return TomlText.isBare(letter) || letter == '+' || letter == '.' || letter == ':';
    }
}
