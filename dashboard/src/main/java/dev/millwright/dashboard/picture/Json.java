package dev.millwright.dashboard.picture;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;

/// Writes JSON piece by piece. Commas are its business, so that callers only say what there is.
final class Json {

    /// Decimals of a price: more show how a sum was rounded, not what it is.
    private static final int DECIMALS_MAX = 6;

    private final StringBuilder text = new StringBuilder();
    private boolean isFirst = true;

    Json object(Runnable fields) {
        open('{');
        fields.run();
        return close('}');
    }

    <T> Json array(List<T> elements, BiConsumer<Json, T> write) {
        open('[');
        for (var element : elements) {
            write.accept(this, element);
        }
        return close(']');
    }

    Json name(String name) {
        separate();
        quoted(name);
        text.append(':');
        isFirst = true;
        return this;
    }

    Json value(String value) {
        separate();
        quoted(value);
        return this;
    }

    Json value(long value) {
        separate();
        text.append(value);
        return this;
    }

    Json value(double value) {
        separate();
        text.append(
                BigDecimal.valueOf(value)
                        .setScale(DECIMALS_MAX, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString());
        return this;
    }

    Json value(boolean value) {
        separate();
        text.append(value);
        return this;
    }

    /// Milliseconds since 1970, as scripts of a page count.
    Json value(Instant value) {
        return value(value.toEpochMilli());
    }

    private void open(char bracket) {
        separate();
        text.append(bracket);
        isFirst = true;
    }

    private Json close(char bracket) {
        text.append(bracket);
        isFirst = false;
        return this;
    }

    private void separate() {
        if (!isFirst) {
            text.append(',');
        }
        isFirst = false;
    }

    private void quoted(String value) {
        text.append('"');
        for (var index = 0; index < value.length(); index++) {
            var each = value.charAt(index);
            if (each == '"' || each == '\\') {
                text.append('\\').append(each);
            } else if (each < ' ' || each == '\u2028' || each == '\u2029') {
                text.append("\\u%04x".formatted((int) each));
            } else {
                text.append(each);
            }
        }
        text.append('"');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
