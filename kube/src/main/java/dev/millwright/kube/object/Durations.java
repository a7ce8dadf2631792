package dev.millwright.kube.object;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.regex.Pattern;

/// Durations of the API: digits and h, m or s glued together, or the word `Never`.
public final class Durations {

    private static final String NEVER = "Never";

    /// Longer ones count as this long: no moment plus it is beyond what a clock can say.
    private static final Duration MOST = Duration.ofDays(1_000 * 365);

    private static final Pattern PART = Pattern.compile("([0-9]{1,12})([hms])");

    private Durations() {}

    /// Null for `Never`, for nothing at all, and for what is no duration (which the API server does
    /// not let pass).
    public static @Nullable Duration read(@Nullable String text) {
        if (text == null || text.equals(NEVER)) {
            return null;
        }
        var matcher = PART.matcher(text);
        var sum = Duration.ZERO;
        var end = 0;
        while (matcher.find() && matcher.start() == end) {
            var number = Long.parseLong(matcher.group(1));
            sum =
                    sum.plus(
                            switch (matcher.group(2)) {
                                case "h" -> Duration.ofHours(number);
                                case "m" -> Duration.ofMinutes(number);
                                default -> Duration.ofSeconds(number);
                            });
            sum = sum.compareTo(MOST) > 0 ? MOST : sum;
            end = matcher.end();
        }
        return end == 0 || end != text.length() ? null : sum;
    }

    /// As Go writes it, so that tools which compare text see what Karpenter would have written.
    public static String write(@Nullable Duration duration) {
        if (duration == null) {
            return NEVER;
        }
        var hours = duration.toHours();
        var minutes = duration.toMinutesPart();
        var seconds = duration.toSecondsPart();
        if (hours > 0) {
            return "%dh%dm%ds".formatted(hours, minutes, seconds);
        }
        return minutes > 0 ? "%dm%ds".formatted(minutes, seconds) : seconds + "s";
    }
}
