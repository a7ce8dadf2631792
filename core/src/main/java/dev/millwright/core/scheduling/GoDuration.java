package dev.millwright.core.scheduling;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/// Durations as Go writes them: `1h30m`, `45s`, `1.5h`.
final class GoDuration {

    private static final Pattern PART =
            Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)");

    private GoDuration() {}

    /// The duration, or null when the text is none.
    static @Nullable Duration parse(String text) {
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
                    case "us", "µs" -> 1_000L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    default -> 3_600_000_000_000L;
                };
        var nanos = new BigDecimal(number).multiply(BigDecimal.valueOf(perUnit));
        return nanos.min(BigDecimal.valueOf(Long.MAX_VALUE / 4)).longValue();
    }
}
