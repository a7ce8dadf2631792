package dev.millwright.core.quantity;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/// Durations as Go writes them: `1h30m`, `45s`, `1.5h`, `-10ms`, and a bare `0`.
public final class GoDuration {

    private static final long NANOS_PER_MICRO = 1_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MINUTE = 60 * NANOS_PER_SECOND;
    private static final long NANOS_PER_HOUR = 60 * NANOS_PER_MINUTE;

    /// The micro sign has two code points; Go reads both.
    private static final Pattern PART =
            Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})(ns|us|µs|μs|ms|s|m|h)");

    private GoDuration() {}

    /// The duration, or null when the text is none.
    public static @Nullable Duration parse(String text) {
        var isSigned = text.startsWith("-") || text.startsWith("+");
        var sum = sum(isSigned ? text.substring(1) : text);
        return sum != null && text.startsWith("-") ? sum.negated() : sum;
    }

    private static @Nullable Duration sum(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        var matcher = PART.matcher(text);
        var sum = Duration.ZERO;
        var end = 0;
        while (matcher.find() && matcher.start() == end) {
            sum = sum.plusNanos(nanos(matcher.group(1), matcher.group(2)));
            end = matcher.end();
        }
        return end == 0 || end != text.length() ? null : sum;
    }

    private static long nanos(String number, String unit) {
        var perUnit =
                switch (unit) {
                    case "ns" -> 1L;
                    case "us", "µs", "μs" -> NANOS_PER_MICRO;
                    case "ms" -> NANOS_PER_MILLI;
                    case "s" -> NANOS_PER_SECOND;
                    case "m" -> NANOS_PER_MINUTE;
                    default -> NANOS_PER_HOUR;
                };
        var nanos = new BigDecimal(number).multiply(BigDecimal.valueOf(perUnit));
        return nanos.min(BigDecimal.valueOf(Long.MAX_VALUE / 4)).longValue();
    }

    /// The text Go prints for a duration: `1h30m0s`, `1.5s`, `250ms`, `0s`.
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        var text = formatPositive(duration.abs());
        return duration.isNegative() ? "-" + text : text;
    }

    private static String formatPositive(Duration duration) {
        if (duration.toSeconds() == 0) {
            var nanos = duration.toNanosPart();
            if (nanos < NANOS_PER_MICRO) {
                return nanos + "ns";
            }
            return nanos < NANOS_PER_MILLI
                    ? decimal(nanos, NANOS_PER_MICRO) + "µs"
                    : decimal(nanos, NANOS_PER_MILLI) + "ms";
        }
        var minutes = duration.toMinutes();
        var seconds = BigDecimal.valueOf(duration.toSecondsPart());
        var fraction = BigDecimal.valueOf(duration.toNanosPart(), 9);
        var text = plain(seconds.add(fraction)) + "s";
        if (minutes == 0) {
            return text;
        }
        return minutes < 60
                ? "%dm%s".formatted(minutes, text)
                : "%dh%dm%s".formatted(minutes / 60, minutes % 60, text);
    }

    private static String decimal(long nanos, long perUnit) {
        return plain(BigDecimal.valueOf(nanos).divide(BigDecimal.valueOf(perUnit)));
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
