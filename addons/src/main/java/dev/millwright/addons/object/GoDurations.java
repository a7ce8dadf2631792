package dev.millwright.addons.object;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Pattern;

/// Durations as Go writes them: `1h30m`, `90s`, `1.5m`, `250ms`.
final class GoDurations {

    private static final Duration MOST = Duration.ofDays(365);
    private static final Pattern PART =
            Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)");

    private GoDurations() {}

    /// Null for what is none. Longer ones count as a year.
    static @Nullable Duration read(String text) {
        var matcher = PART.matcher(text);
        var nanos = BigDecimal.ZERO;
        var end = 0;
        while (matcher.find() && matcher.start() == end) {
            nanos =
                    nanos.add(
                            new BigDecimal(matcher.group(1))
                                    .multiply(BigDecimal.valueOf(nanosOf(matcher.group(2)))));
            end = matcher.end();
        }
        if (end == 0 || end != text.length()) {
            return null;
        }
        return nanos.compareTo(BigDecimal.valueOf(MOST.toNanos())) > 0
                ? MOST
                : Duration.ofNanos(nanos.setScale(0, RoundingMode.DOWN).longValueExact());
    }

    private static long nanosOf(String unit) {
        return switch (unit) {
            case "h" -> 3_600_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "s" -> 1_000_000_000L;
            case "ms" -> 1_000_000L;
            case "ns" -> 1L;
            default -> 1_000L;
        };
    }
}
