package dev.millwright.core.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// An exact amount in Kubernetes' notation: whole units plus billionths of a unit.
///
/// Billionths are never negative, so that the pair orders like the number it stands for: minus one
/// half is `units = -1, nanos = 500_000_000`.
public record Quantity(long units, int nanos) implements Comparable<Quantity> {

    /// Billionths in one unit, the finest step Kubernetes keeps.
    public static final int NANOS_PER_UNIT = 1_000_000_000;

    /// Longest text accepted. The API server refuses far shorter ones; a megabyte of digits must
    /// not be parsed.
    public static final int TEXT_LENGTH_MAX = 64;

    /// Largest decimal exponent accepted, far above what fits, so that `1e999999999` cannot exhaust
    /// memory.
    private static final int EXPONENT_MAX = 40;

    public static final Quantity ZERO = new Quantity(0, 0);
    public static final Quantity ONE = new Quantity(1, 0);
    public static final Quantity GREATEST = new Quantity(Long.MAX_VALUE, NANOS_PER_UNIT - 1);
    public static final Quantity LEAST = new Quantity(Long.MIN_VALUE, 0);

    public Quantity {
        if (nanos < 0 || nanos >= NANOS_PER_UNIT) {
            throw new IllegalArgumentException(
                    "nanos %d must be between 0 and 999999999".formatted(nanos));
        }
    }

    public static Quantity ofUnits(long units) {
        return new Quantity(units, 0);
    }

    public static Quantity ofMillis(long millis) {
        return new Quantity(
                Math.floorDiv(millis, 1_000L), (int) Math.floorMod(millis, 1_000L) * 1_000_000);
    }

    /// Reads Kubernetes' syntax: sign, digits, fraction, then `n u m k M G T P E`, `Ki Mi Gi Ti Pi
    /// Ei` or an exponent. Finer than a billionth rounds away from zero, as the API server does.
    ///
    /// @throws QuantityFormatException when the text is no quantity or does not fit
    public static Quantity parse(String text) {
        if (text.isEmpty() || text.length() > TEXT_LENGTH_MAX) {
            throw new QuantityFormatException(
                    text, "wanted 1 to 64 characters such as 500m or 2Gi");
        }
        var end = numberEnd(text);
        var number = text.substring(0, end);
        if (!hasDigit(number)) {
            throw new QuantityFormatException(text, "wanted digits such as 500m or 2Gi");
        }
        return of(text, new BigDecimal(number).multiply(scale(text, text.substring(end))));
    }

    private static int numberEnd(String text) {
        var index = 0;
        if (text.charAt(0) == '+' || text.charAt(0) == '-') {
            index = 1;
        }
        var hasDot = false;
        while (index < text.length()) {
            var letter = text.charAt(index);
            if (letter == '.' && !hasDot) {
                hasDot = true;
            } else if (letter < '0' || letter > '9') {
                break;
            }
            index++;
        }
        return index;
    }

    private static boolean hasDigit(String number) {
        return number.chars().anyMatch(letter -> letter >= '0' && letter <= '9');
    }

    private static BigDecimal scale(String text, String suffix) {
        return switch (suffix) {
            case "" -> BigDecimal.ONE;
            case "n" -> BigDecimal.ONE.scaleByPowerOfTen(-9);
            case "u" -> BigDecimal.ONE.scaleByPowerOfTen(-6);
            case "m" -> BigDecimal.ONE.scaleByPowerOfTen(-3);
            case "k" -> BigDecimal.ONE.scaleByPowerOfTen(3);
            case "M" -> BigDecimal.ONE.scaleByPowerOfTen(6);
            case "G" -> BigDecimal.ONE.scaleByPowerOfTen(9);
            case "T" -> BigDecimal.ONE.scaleByPowerOfTen(12);
            case "P" -> BigDecimal.ONE.scaleByPowerOfTen(15);
            case "E" -> BigDecimal.ONE.scaleByPowerOfTen(18);
            case "Ki" -> binary(10);
            case "Mi" -> binary(20);
            case "Gi" -> binary(30);
            case "Ti" -> binary(40);
            case "Pi" -> binary(50);
            case "Ei" -> binary(60);
            default -> exponent(text, suffix);
        };
    }

    private static BigDecimal binary(int power) {
        return new BigDecimal(BigInteger.ONE.shiftLeft(power));
    }

    private static BigDecimal exponent(String text, String suffix) {
        var isExponent = suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E';
        if (!isExponent || !suffix.substring(1).matches("[+-]?[0-9]{1,9}")) {
            throw new QuantityFormatException(
                    text,
                    "unknown suffix \"%s\"; wanted one of n u m k M G T P E Ki Mi Gi Ti Pi Ei or an exponent"
                            .formatted(suffix));
        }
        var power = Integer.parseInt(suffix.substring(1));
        if (Math.abs(power) > EXPONENT_MAX) {
            throw new QuantityFormatException(
                    text, "exponent %d is beyond ±%d".formatted(power, EXPONENT_MAX));
        }
        return BigDecimal.ONE.scaleByPowerOfTen(power);
    }

    private static Quantity of(String text, BigDecimal value) {
        var nanos = value.scaleByPowerOfTen(9).setScale(0, RoundingMode.UP).toBigInteger();
        var parts = nanos.divideAndRemainder(BigInteger.valueOf(NANOS_PER_UNIT));
        var units = parts[0];
        var rest = parts[1].intValue();
        if (rest < 0) {
            units = units.subtract(BigInteger.ONE);
            rest += NANOS_PER_UNIT;
        }
        if (units.bitLength() > 63) {
            throw new QuantityFormatException(
                    text, "does not fit; the largest is 9223372036854775807");
        }
        return new Quantity(units.longValue(), rest);
    }

    /// A sum that does not fit stays at the greatest (or least) amount there is: two absurd
    /// requests must not stop the plan for everybody else.
    public Quantity plus(Quantity other) {
        var sum = nanos + other.nanos;
        var carry = sum >= NANOS_PER_UNIT ? 1 : 0;
        try {
            // The carry goes where it cannot overflow by itself.
            var whole =
                    units == Long.MAX_VALUE
                            ? Math.addExact(units, Math.addExact(other.units, carry))
                            : Math.addExact(units + carry, other.units);
            return new Quantity(whole, sum - carry * NANOS_PER_UNIT);
        } catch (ArithmeticException tooLarge) {
            return isNegative() ? LEAST : GREATEST;
        }
    }

    /// A difference that does not fit stays at the least (or greatest) amount there is.
    public Quantity minus(Quantity other) {
        var difference = nanos - other.nanos;
        var borrow = difference < 0 ? 1 : 0;
        try {
            // The borrow goes where it cannot overflow by itself.
            var whole =
                    units == Long.MIN_VALUE
                            ? Math.subtractExact(units, Math.addExact(other.units, borrow))
                            : Math.subtractExact(units - borrow, other.units);
            return new Quantity(whole, difference + borrow * NANOS_PER_UNIT);
        } catch (ArithmeticException tooLarge) {
            return other.isNegative() ? GREATEST : LEAST;
        }
    }

    public Quantity max(Quantity other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public Quantity min(Quantity other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /// This share of the amount, rounded up to a whole unit, e.g. an eviction threshold given in
    /// percent.
    public Quantity percentCeiling(BigDecimal percent) {
        var share =
                toBigDecimal().multiply(percent).movePointLeft(2).setScale(0, RoundingMode.CEILING);
        return of(toString(), share);
    }

    public boolean isNegative() {
        return units < 0;
    }

    public boolean isZero() {
        return units == 0 && nanos == 0;
    }

    public BigDecimal toBigDecimal() {
        return BigDecimal.valueOf(units).add(BigDecimal.valueOf(nanos, 9));
    }

    /// For people and for prices only; decisions compare exactly.
    public double toDouble() {
        return units + nanos / (double) NANOS_PER_UNIT;
    }

    @Override
    public int compareTo(Quantity other) {
        var order = Long.compare(units, other.units);
        return order != 0 ? order : Integer.compare(nanos, other.nanos);
    }

    /// Decimal notation with the coarsest of units, `m`, `u`, `n` that is exact.
    @Override
    public String toString() {
        if (nanos == 0) {
            return Long.toString(units);
        }
        var exact = toBigDecimal();
        if (nanos % 1_000_000 == 0) {
            return exact.scaleByPowerOfTen(3).toBigIntegerExact() + "m";
        }
        if (nanos % 1_000 == 0) {
            return exact.scaleByPowerOfTen(6).toBigIntegerExact() + "u";
        }
        return exact.scaleByPowerOfTen(9).toBigIntegerExact() + "n";
    }

    /// Binary notation such as `893Mi` where it is exact, else as [#toString()].
    public String toBinaryString() {
        if (nanos != 0 || units == 0) {
            return toString();
        }
        var suffixes = new String[] {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
        var value = units;
        var step = 0;
        // A long that is not zero divides by 1,024 six times at most.
        while (value % 1_024 == 0) {
            value /= 1_024;
            step++;
        }
        return value + suffixes[step];
    }
}
