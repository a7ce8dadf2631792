package dev.millwright.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.regex.Pattern;

/// Lets no control character of a file reach a terminal: those that move a cursor, set a title or
/// turn the order of letters are written as `\u001b`, which is also how JSON spells them. Colours
/// alone pass, where colours are shown.
final class PlainWriter extends FilterWriter {

    private static final char ESCAPE = '\u001b';
    private static final Pattern COLOUR =
            Pattern.compile("\u001b\\[(?:0|1|2[1-4]|3[0-79]|9[0-7]|;)*m");
    private static final Pattern COLOUR_BEGUN = Pattern.compile("\u001b(?:\\[[0-9;]{0,11})?");

    private final boolean isColoured;
    private final StringBuilder begun = new StringBuilder();

    PlainWriter(Writer out, boolean isColoured) {
        super(out);
        this.isColoured = isColoured;
    }

    /// The text as one line: where a file's words stand between ours, an end of a line would pass
    /// for the next one of ours.
    static String oneLine(String text) {
        return text.indexOf('\n') < 0 ? text : text.replace("\n", "\\u000a");
    }

    @Override
    public void write(int letter) throws IOException {
        add((char) letter);
    }

    @Override
    public void write(char[] letters, int from, int count) throws IOException {
        for (var at = from; at < from + count; at++) {
            add(letters[at]);
        }
    }

    @Override
    public void write(String text, int from, int count) throws IOException {
        if (begun.isEmpty() && isPlain(text, from, from + count)) {
            out.write(text, from, count);
            return;
        }
        for (var at = from; at < from + count; at++) {
            add(text.charAt(at));
        }
    }

    private static boolean isPlain(String text, int from, int to) {
        for (var at = from; at < to; at++) {
            if (isControl(text.charAt(at))) {
                return false;
            }
        }
        return true;
    }

    private void add(char letter) throws IOException {
        if (!begun.isEmpty()) {
            begun.append(letter);
            if (COLOUR.matcher(begun).matches()) {
                out.write(begun.toString());
                begun.setLength(0);
            } else if (!COLOUR_BEGUN.matcher(begun).matches()) {
                escapeBegun();
            }
        } else if (letter == ESCAPE && isColoured) {
            begun.append(letter);
        } else {
            plain(letter);
        }
    }

    private void escapeBegun() throws IOException {
        var text = begun.toString();
        begun.setLength(0);
        for (var at = 0; at < text.length(); at++) {
            plain(text.charAt(at));
        }
    }

    private void plain(char letter) throws IOException {
        if (isControl(letter)) {
            out.write("\\u%04x".formatted((int) letter));
        } else {
            out.write(letter);
        }
    }

    /// Besides the line's end and the tab; with the marks that turn the order of letters.
    private static boolean isControl(char letter) {
        return (Character.isISOControl(letter) && letter != '\n' && letter != '\t')
                || (letter >= '\u202a' && letter <= '\u202e')
                || (letter >= '\u2066' && letter <= '\u2069');
    }

    /// What began like a colour is none when nothing follows.
    @Override
    public void flush() throws IOException {
        escapeBegun();
        super.flush();
    }
}
