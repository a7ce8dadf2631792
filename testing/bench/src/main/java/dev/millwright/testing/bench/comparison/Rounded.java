package dev.millwright.testing.bench.comparison;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/// Numbers as text, rounded against us: our costs up, our advantages down.
public final class Rounded {

    /// Shown where there is nothing to show.
    public static final String NONE = "–";

    private static final double BYTES_PER_MEGABYTE = 1e6;

    private Rounded() {}

    public static String up(double value, int digits) {
        return text(value, digits, RoundingMode.CEILING);
    }

    public static String down(double value, int digits) {
        return text(value, digits, RoundingMode.FLOOR);
    }

    public static String nearest(double value, int digits) {
        return text(value, digits, RoundingMode.HALF_UP);
    }

    static String megabytes(double bytes) {
        var megabytes = bytes / BYTES_PER_MEGABYTE;
        return nearest(megabytes, megabytes < 10 ? 1 : 0);
    }

    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String text(double value, int digits, RoundingMode mode) {
        // The shortest text of a double first: 0.1 is not a hair above a tenth to a reader.
        var rounded = new BigDecimal(Double.toString(value)).setScale(digits, mode);
        return String.format(Locale.ROOT, "%,." + digits + "f", rounded);
    }
}
