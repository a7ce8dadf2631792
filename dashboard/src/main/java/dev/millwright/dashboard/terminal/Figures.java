package dev.millwright.dashboard.terminal;

import java.util.Locale;

/// Prices as people read them.
final class Figures {

    private static final double SMALL = 1;

    private Figures() {}

    /// Small prices keep the digits that tell them apart.
    static String price(double price) {
        return String.format(Locale.ROOT, price < SMALL ? "%.4f" : "%,.2f", price);
    }
}
