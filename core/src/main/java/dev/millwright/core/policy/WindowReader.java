package dev.millwright.core.policy;

import dev.millwright.core.policy.MaintenanceWindows.Window;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

import java.time.DayOfWeek;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Reads maintenance windows: `[REASON[,REASON]:] DAYS HH:MM-HH:MM [ZONE]`, with semicolons between
/// them.
final class WindowReader {

    private static final String EXAMPLE = "Sat,Sun 02:00-06:00 Europe/Berlin";

    /// Longest text read; more is nothing a person wrote.
    private static final int TEXT_LENGTH_MAX = 4_096;

    private static final int WINDOWS_MAX = 50;

    /// Most of a faulty text that a message repeats.
    private static final int SHOWN_LENGTH_MAX = 64;

    private static final Pattern REASONS = Pattern.compile("([^0-9:]+):\\s*(.*)");
    private static final Pattern TIMES =
            Pattern.compile("([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})");
    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

    /// The window that is read, for messages.
    private final String text;

    private WindowReader(String text) {
        this.text = text;
    }

    static List<Window> read(String text) {
        if (text.length() > TEXT_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "has %d characters; wanted at most %d"
                            .formatted(text.length(), TEXT_LENGTH_MAX));
        }
        var windows =
                Arrays.stream(text.split(";", -1))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .map(each -> new WindowReader(each).window())
                        .toList();
        if (windows.isEmpty()) {
            throw new IllegalArgumentException(
                    "holds no window; wanted one such as %s, or no annotation".formatted(EXAMPLE));
        }
        if (windows.size() > WINDOWS_MAX) {
            throw new IllegalArgumentException(
                    "has %d windows; wanted at most %d".formatted(windows.size(), WINDOWS_MAX));
        }
        return windows;
    }

    private Window window() {
        var prefixed = REASONS.matcher(text);
        var isPrefixed = prefixed.matches();
        var reasons = isPrefixed ? reasons(prefixed.group(1)) : List.<Reason>of();
        var words = SPACES.split(isPrefixed ? prefixed.group(2).strip() : text, -1);
        var timesAt = 0;
        while (timesAt < words.length && !TIMES.matcher(words[timesAt]).matches()) {
            timesAt++;
        }
        if (timesAt == words.length) {
            throw fault("has no times", "from and to as HH:MM-HH:MM");
        }
        if (timesAt == 0) {
            throw fault("has no days before its times", "days such as Mon-Fri, or daily");
        }
        if (words.length > timesAt + 2) {
            throw fault(
                    "has \"%s\" behind its times".formatted(join(words, timesAt + 1, words.length)),
                    "a time zone, or nothing for UTC");
        }
        return timed(
                reasons,
                days(join(words, 0, timesAt)),
                words[timesAt],
                timesAt + 1 < words.length ? zone(words[timesAt + 1]) : ZoneOffset.UTC);
    }

    private static String join(String[] words, int from, int to) {
        return String.join(" ", Arrays.asList(words).subList(from, to));
    }

    private Window timed(List<Reason> reasons, List<DayOfWeek> days, String times, ZoneId zone) {
        var parts = TIMES.matcher(times);
        if (!parts.matches()) {
            throw fault("has no times", "from and to as HH:MM-HH:MM");
        }
        var from = minute(parts.group(1), parts.group(2));
        var to = minute(parts.group(3), parts.group(4));
        if (from == MaintenanceWindows.MINUTES_OF_DAY || from == to) {
            throw fault(
                    "times \"%s\" hold no minute".formatted(times),
                    "an end after the beginning, or the whole day as 00:00-24:00");
        }
        return new Window(
                reasons, days, from, to > from ? to : to + MaintenanceWindows.MINUTES_OF_DAY, zone);
    }

    private int minute(String hours, String minutes) {
        var hour = Integer.parseInt(hours);
        var minute = Integer.parseInt(minutes);
        if (hour > 24 || minute > 59 || (hour == 24 && minute > 0)) {
            throw fault("time \"%s:%s\" is none".formatted(hours, minutes), "00:00 to 24:00");
        }
        return hour * 60 + minute;
    }

    private List<Reason> reasons(String words) {
        var reasons = new TreeSet<Reason>();
        for (var word : COMMA.split(words.strip(), -1)) {
            reasons.add(
                    Arrays.stream(Reason.values())
                            .filter(Reason::isVoluntary)
                            .filter(each -> each.text().equals(word))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            fault(
                                                    "reason \"%s\" is none".formatted(word),
                                                    voluntary())));
        }
        return List.copyOf(reasons);
    }

    private static String voluntary() {
        return Arrays.stream(Reason.values())
                .filter(Reason::isVoluntary)
                .map(Reason::text)
                .collect(Collectors.joining(" or "));
    }

    private List<DayOfWeek> days(String words) {
        if (words.equalsIgnoreCase("daily")) {
            return List.of(DayOfWeek.values());
        }
        var days = new TreeSet<DayOfWeek>();
        for (var item : COMMA.split(words, -1)) {
            var ends = item.split("-", -1);
            var first = day(ends[0], item);
            var last = ends.length == 1 ? first : day(ends[1], item);
            if (ends.length > 2) {
                throw noDay(item);
            }
            days.add(last);
            for (var day = first; day != last; day = day.plus(1)) {
                days.add(day);
            }
        }
        return new ArrayList<>(days);
    }

    /// By its name, or by the first three letters of it.
    private DayOfWeek day(String word, String item) {
        var wanted = word.toUpperCase(Locale.ROOT);
        return Arrays.stream(DayOfWeek.values())
                .filter(
                        day ->
                                day.name().equals(wanted)
                                        || day.name().substring(0, 3).equals(wanted))
                .findFirst()
                .orElseThrow(() -> noDay(item));
    }

    private IllegalArgumentException noDay(String item) {
        var hasTimes = item.chars().anyMatch(Character::isDigit);
        return fault(
                "day \"%s\" is none".formatted(item),
                hasTimes
                        ? "semicolons between windows"
                        : "days such as Sat,Sun or Mon-Fri, or daily");
    }

    private ZoneId zone(String word) {
        if (!ZoneId.getAvailableZoneIds().contains(word)) {
            throw fault(
                    "time zone \"%s\" is unknown".formatted(word),
                    "a name such as Europe/Berlin, or nothing for UTC");
        }
        return ZoneId.of(word);
    }

    private IllegalArgumentException fault(String found, String wanted) {
        var shown =
                text.length() <= SHOWN_LENGTH_MAX
                        ? text
                        : text.substring(0, SHOWN_LENGTH_MAX) + "…";
        return new IllegalArgumentException(
                "window \"%s\": %s; wanted %s, as in %s".formatted(shown, found, wanted, EXAMPLE));
    }
}
