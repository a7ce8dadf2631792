package dev.millwright.providers.aws.bootstrap.toml;

import dev.millwright.kube.document.Position;

import java.util.function.IntPredicate;

/// A place in a text of TOML, which only moves on.
final class TomlCursor {

    /// What [#peek()] sees after the last letter.
    private static final char END = '\0';

    private static final String TIME_NEXT = " [0-9][0-9]:.*";

    private final String text;
    private int at;
    private int line = 1;

    TomlCursor(String text) {
        this.text = text;
    }

    Position position() {
        return new Position("userData", line, 0);
    }

    boolean isAtEnd() {
        return at >= text.length();
    }

    char peek() {
        return isAtEnd() ? END : text.charAt(at);
    }

    private char next() {
        var letter = text.charAt(at++);
        if (letter == '\n') {
            line++;
        }
        return letter;
    }

    boolean take(String token) {
        if (!text.startsWith(token, at)) {
            return false;
        }
        at += token.length();
        return true;
    }

    String takeWhile(IntPredicate isWanted) {
        var first = at;
        while (!isAtEnd() && isWanted.test(text.charAt(at))) {
            at++;
        }
        return text.substring(first, at);
    }

    void skipBlanks() {
        takeWhile(letter -> letter == ' ' || letter == '\t');
    }

    /// Past blanks, ends of lines and comments.
    void skipLines() throws TomlException {
        while (true) {
            skipBlanks();
            comment();
            if (peek() != '\n') {
                return;
            }
            next();
        }
    }

    private void comment() throws TomlException {
        if (peek() == '#' && !isAtEnd()) {
            takeWhile(letter -> letter == '\t' || (letter >= ' ' && letter != 0x7f));
            if (!isAtEnd() && peek() != '\n') {
                throw unwanted("a comment without control characters");
            }
        }
    }

    /// Past what may stand between a value and the end of its line.
    void endLine() throws TomlException {
        skipBlanks();
        comment();
        if (!isAtEnd() && peek() != '\n') {
            throw unwanted("the end of the line");
        }
    }

    boolean isTimeNext() {
        return text.substring(at, Math.min(text.length(), at + 4)).matches(TIME_NEXT);
    }

    TomlException problem(String problem) {
        return new TomlException(line, problem);
    }

    TomlException unwanted(String wanted) {
        var found =
                isAtEnd()
                        ? "the end"
                        : peek() == '\n' ? "the end of the line" : "\"" + peek() + "\"";
        return problem("found %s; wanted %s".formatted(found, wanted));
    }

    /// A text in quotes of any of the four kinds, or of the two that stay on one line.
    String quoted(boolean isMultilineWanted) throws TomlException {
        var quote = peek();
        var three = String.valueOf(quote).repeat(3);
        if (isMultilineWanted && take(three)) {
            take("\n", 1);
            return multiline(quote, three);
        }
        next();
        var content = new StringBuilder();
        while (true) {
            if (isAtEnd() || peek() == '\n') {
                throw unwanted("the closing " + quote);
            }
            var letter = next();
            if (letter == quote) {
                return content.toString();
            }
            append(letter, quote, content);
        }
    }

    private void take(String newline, int lines) {
        if (take(newline)) {
            line += lines;
        }
    }

    private String multiline(char quote, String three) throws TomlException {
        var content = new StringBuilder();
        while (true) {
            if (isAtEnd()) {
                throw unwanted("the closing " + three);
            }
            if (take(three)) {
                // Up to two quotes may stand right before the closing ones.
                for (var extra = 0; extra < 2 && take(String.valueOf(quote)); extra++) {
                    content.append(quote);
                }
                return content.toString();
            }
            var letter = next();
            if (letter == '\\' && quote == '"' && isLineFolded()) {
                takeFold();
            } else {
                append(letter, quote, content);
            }
        }
    }

    /// Whether nothing but blanks is left of the line after a backslash.
    private boolean isLineFolded() {
        var index = at;
        while (index < text.length() && (text.charAt(index) == ' ' || text.charAt(index) == '\t')) {
            index++;
        }
        return index < text.length() && text.charAt(index) == '\n';
    }

    private void takeFold() {
        while (!isAtEnd() && (peek() == ' ' || peek() == '\t' || peek() == '\n')) {
            next();
        }
    }

    private void append(char letter, char quote, StringBuilder content) throws TomlException {
        if (letter == '\\' && quote == '"') {
            content.appendCodePoint(escaped());
        } else if ((letter < ' ' && letter != '\t' && letter != '\n') || letter == 0x7f) {
            throw problem("found a control character in a text; wanted it escaped");
        } else {
            content.append(letter);
        }
    }

    private int escaped() throws TomlException {
        if (isAtEnd()) {
            throw unwanted("an escape");
        }
        var letter = next();
        return switch (letter) {
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '"' -> '"';
            case '\\' -> '\\';
            case 'u' -> codePoint(4);
            case 'U' -> codePoint(8);
            default ->
                    throw problem(
                            "found \\%s; wanted one of \\b \\t \\n \\f \\r \\\" \\\\ \\u \\U"
                                    .formatted(letter));
        };
    }

    private int codePoint(int digits) throws TomlException {
        var text = new StringBuilder();
        while (text.length() < digits && Character.digit(peek(), 16) >= 0) {
            text.append(next());
        }
        var code = text.length() == digits ? Long.parseLong(text.toString(), 16) : -1;
        var isScalar =
                code >= 0 && code <= Character.MAX_CODE_POINT && (code < 0xd800 || code > 0xdfff);
        if (!isScalar) {
            throw problem("found \\u%s; wanted the %d digits of a letter".formatted(text, digits));
        }
        return (int) code;
    }
}
