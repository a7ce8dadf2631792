package dev.millwright.cli;

import dev.millwright.core.forecast.Forecast;

import java.util.Locale;

/// Prices as people read them.
final class Money {

    private static final double SMALL = 1;

    private Money() {}

    /// Small prices keep the digits that tell them apart.
    static String perHour(double price) {
        return String.format(Locale.ROOT, price < SMALL ? "%.4f" : "%,.2f", price);
    }

    /// What is more or less than before.
    static String extraPerMonth(double pricePerHour) {
        var price = pricePerHour * Forecast.HOURS_PER_MONTH;
        if (Math.abs(price) < 0.005) {
            return "costs nothing more";
        }
        return price > 0
                ? "costs $%s a month more".formatted(perMonth(pricePerHour))
                : "saves $%s a month".formatted(perMonth(-pricePerHour));
    }

    static String perMonth(double pricePerHour) {
        var price = pricePerHour * Forecast.HOURS_PER_MONTH;
        return String.format(Locale.ROOT, price < 100 ? "%,.2f" : "%,.0f", price);
    }
}
