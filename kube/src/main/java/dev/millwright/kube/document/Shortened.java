package dev.millwright.kube.document;

/// Text of a file as a message shows it: one line, no control characters, of bounded length.
public final class Shortened {

    /// Characters of a found value that a message shows.
    public static final int LENGTH_MAX = 80;

    /// Characters of a whole message that quotes a parser's.
    private static final int MESSAGE_LENGTH_MAX = 400;

    private Shortened() {}

    public static String of(String text) {
        return of(text, LENGTH_MAX);
    }

    static String message(String text) {
        return of(text, MESSAGE_LENGTH_MAX);
    }

    private static String of(String text, int lengthMax) {
        var shown = text.length() <= lengthMax ? text : text.substring(0, lengthMax);
        var clean = new StringBuilder(shown.length());
        shown.codePoints()
                .map(letter -> Character.isISOControl(letter) ? ' ' : letter)
                .forEach(clean::appendCodePoint);
        return text.length() <= lengthMax
                ? clean.toString()
                : clean + "… (" + text.length() + " characters)";
    }
}
