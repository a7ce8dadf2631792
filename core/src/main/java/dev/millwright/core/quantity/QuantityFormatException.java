package dev.millwright.core.quantity;

/// A text that is no Kubernetes quantity. The message holds the text (shortened) and what was
/// wanted.
public final class QuantityFormatException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private static final int SHOWN_LENGTH_MAX = 80;

    public QuantityFormatException(String text, String wanted) {
        super("quantity \"%s\": %s".formatted(shorten(text), wanted));
    }

    private static String shorten(String text) {
        return text.length() <= SHOWN_LENGTH_MAX
                ? text
                : text.substring(0, SHOWN_LENGTH_MAX) + "… (" + text.length() + " characters)";
    }
}
