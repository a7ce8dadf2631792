package dev.millwright.world.http;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/// How long ago something was, as kubectl says it: two units while both matter, then one.
final class Age {

    private Age() {}

    static String of(String instant, Instant now) {
        if (instant.isEmpty()) {
            return "<none>";
        }
        try {
            return words(Duration.between(Instant.parse(instant), now));
        } catch (DateTimeParseException unreadable) {
            return "<invalid>";
        }
    }

    static String words(Duration age) {
        var seconds = Math.max(0, age.toSeconds());
        var minutes = seconds / 60;
        var hours = minutes / 60;
        var days = hours / 24;
        if (seconds < 120) {
            return seconds + "s";
        }
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (hours < 3) {
            return minutes + "m";
        }
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        return days < 8 ? pair(days, "d", hours % 24, "h") : days + "d";
    }

    private static String pair(long first, String unit, long second, String smaller) {
        return second == 0 ? first + unit : first + unit + second + smaller;
    }
}
