package dev.millwright.core.policy;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/// What a NodeOverlay makes of a provider's price. Prices never fall below zero.
///
/// Reckoned in decimals, so that 10 % off 0.3 is 0.27 and not a binary neighbour of it.
public sealed interface PriceChange {

    /// Longest text read: more digits than any price has.
    int TEXT_LENGTH_MAX = 32;

    /// What the CRD accepts, to the letter: a fall in percent has at most two digits before the
    /// point, or is all.
    Pattern PRICE = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    Pattern ADJUSTMENT =
            Pattern.compile(
                    "[+-][0-9]*\\.?[0-9]+|\\+[0-9]*\\.?[0-9]+%|-[0-9]{1,2}(\\.[0-9]+)?%|-100%");

    /// This price, whatever the provider says.
    record Replaced(BigDecimal price) implements PriceChange {}

    /// So much more, or less where negative.
    record Added(BigDecimal amount) implements PriceChange {}

    /// So many percent more, or less where negative.
    record Scaled(BigDecimal percent) implements PriceChange {}

    /// Reads a price: a decimal without a sign, such as `3` or `0.25`.
    ///
    /// @throws IllegalArgumentException when the text is none
    static PriceChange parsePrice(String text) {
        return new Replaced(
                decimal(
                        PRICE,
                        text,
                        text,
                        "price \"%s\" is no decimal without a sign; wanted one such as 3 or 0.25"));
    }

    /// Reads an adjustment: a signed number such as `+0.5` or `-.5`, or a signed percentage from
    /// `-100%` up.
    ///
    /// @throws IllegalArgumentException when the text is none
    static PriceChange parseAdjustment(String text) {
        var isPercent = text.endsWith("%");
        var number =
                decimal(
                        ADJUSTMENT,
                        text,
                        isPercent ? text.substring(0, text.length() - 1) : text,
                        "priceAdjustment \"%s\" is neither a signed number nor a signed percentage"
                                + " of at least -100%%; wanted one such as +0.5, -2 or -10%%");
        return isPercent ? new Scaled(number) : new Added(number);
    }

    private static BigDecimal decimal(Pattern grammar, String text, String number, String fault) {
        if (text.length() > TEXT_LENGTH_MAX || !grammar.matcher(text).matches()) {
            throw new IllegalArgumentException(fault.formatted(shortened(text)));
        }
        return new BigDecimal(number);
    }

    private static String shortened(String text) {
        return text.length() <= TEXT_LENGTH_MAX
                ? text
                : text.substring(0, TEXT_LENGTH_MAX) + "… (" + text.length() + " characters)";
    }

    /// The provider's price after the change.
    default double apply(double pricePerHour) {
        var price = BigDecimal.valueOf(pricePerHour);
        var changed =
                switch (this) {
                    case Replaced(var other) -> other;
                    case Added(var amount) -> price.add(amount);
                    case Scaled(var percent) -> price.add(price.multiply(percent).movePointLeft(2));
                };
        return changed.max(BigDecimal.ZERO).doubleValue();
    }
}
