package dev.millwright.cli;

import java.util.Locale;

/// Prices as people read them.
final class Money {

    /// Hours in a month, as clouds bill it.
    static final int HOURS_PER_MONTH = 730;

    private static final double SMALL = 1;

    private Money() {}

    /// Small prices keep the digits that tell them apart.
    static String perHour(double price) {
        return String.format(Locale.ROOT, price < SMALL ? "%.4f" : "%,.2f", price);
    }

    static String perMonth(double pricePerHour) {
        var price = pricePerHour * HOURS_PER_MONTH;
        return String.format(Locale.ROOT, price < 100 ? "%,.2f" : "%,.0f", price);
    }
}
