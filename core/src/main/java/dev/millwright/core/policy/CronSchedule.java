package dev.millwright.core.policy;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Moments that come again: five fields of cron (minute, hour, day of the month, month, day of the
/// week), or a macro such as `@daily`, always in UTC.
///
/// Each field is kept as a set of bits. Where both days are narrowed, either one is enough.
public final class CronSchedule {

    /// A schedule that does not come in so many years does not come.
    private static final int YEARS_MAX = 5;

    /// Longest text read; more is no schedule a person wrote.
    private static final int TEXT_LENGTH_MAX = 256;

    private static final Map<String, String> MACROS =
            Map.of(
                    "@yearly", "0 0 1 1 *",
                    "@annually", "0 0 1 1 *",
                    "@monthly", "0 0 1 * *",
                    "@weekly", "0 0 * * 0",
                    "@daily", "0 0 * * *",
                    "@midnight", "0 0 * * *",
                    "@hourly", "0 * * * *");

    /// What a field may hold. Names stand for numbers from `least` up.
    private enum Part {
        MINUTE("minute", 0, 59, List.of()),
        HOUR("hour", 0, 23, List.of()),
        DAY_OF_MONTH("day of the month", 1, 31, List.of()),
        MONTH(
                "month",
                1,
                12,
                List.of(
                        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                        "dec")),
        DAY_OF_WEEK(
                "day of the week", 0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

        private final String words;
        private final int least;
        private final int most;
        private final List<String> names;

        Part(String words, int least, int most, List<String> names) {
            this.words = words;
            this.least = least;
            this.most = most;
            this.names = names;
        }

        private IllegalArgumentException fault(String found) {
            return new IllegalArgumentException(
                    "%s \"%s\" is none; wanted *, numbers from %d to %d, ranges such as %d-%d, steps such as */2, or a list of these"
                            .formatted(words, found, least, most, least, most));
        }
    }

    /// The values of one field. `isOpen` when nobody narrowed it.
    private record Values(long bits, boolean isOpen) {
        private boolean has(int value) {
            return (bits >>> value & 1) == 1;
        }

        private int next(int from, int most) {
            var value = from;
            while (value <= most && !has(value)) {
                value++;
            }
            return value;
        }
    }

    private final String text;
    private final Values minutes;
    private final Values hours;
    private final Values daysOfMonth;
    private final Values months;
    private final Values daysOfWeek;

    private CronSchedule(String text, String[] fields) {
        this.text = text;
        minutes = values(Part.MINUTE, fields[0]);
        hours = values(Part.HOUR, fields[1]);
        daysOfMonth = values(Part.DAY_OF_MONTH, fields[2]);
        months = values(Part.MONTH, fields[3]);
        daysOfWeek = values(Part.DAY_OF_WEEK, fields[4]);
    }

    /// @throws IllegalArgumentException when the text is no schedule; the message says what to mend
    public static CronSchedule parse(String text) {
        var trimmed = text.strip();
        if (trimmed.length() > TEXT_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "schedule has %d characters; wanted at most %d"
                            .formatted(trimmed.length(), TEXT_LENGTH_MAX));
        }
        var fields = MACROS.getOrDefault(trimmed, trimmed).split("\\s+", -1);
        if (trimmed.startsWith("@") && !MACROS.containsKey(trimmed)) {
            throw new IllegalArgumentException(
                    "macro \"%s\" is unknown; wanted one such as @daily or @hourly"
                            .formatted(trimmed));
        }
        if (fields.length != 5) {
            throw new IllegalArgumentException(
                    "has %d fields; wanted five (minute, hour, day of the month, month, day of the week) such as 0 9 * * mon-fri"
                            .formatted(trimmed.isEmpty() ? 0 : fields.length));
        }
        return new CronSchedule(trimmed, fields);
    }

    private static Values values(Part part, String field) {
        var bits = 0L;
        var isOpen = false;
        for (var item : field.split(",", 0)) {
            if (!item.isEmpty()) {
                var values = item(part, item);
                bits |= values.bits();
                isOpen |= values.isOpen();
            }
        }
        if (bits == 0) {
            throw part.fault(field);
        }
        return new Values(bits, isOpen);
    }

    private static Values item(Part part, String item) {
        var halves = item.split("/", -1);
        var ends = halves[0].split("-", -1);
        if (halves.length > 2 || ends.length > 2) {
            throw part.fault(item);
        }
        var isStar = halves[0].equals("*") || halves[0].equals("?");
        var step = halves.length == 2 ? number(part, halves[1], item) : 1;
        var from = isStar ? part.least : value(part, ends[0], item);
        var isToEnd = isStar || (ends.length == 1 && halves.length == 2);
        var to = isToEnd ? part.most : ends.length == 2 ? value(part, ends[1], item) : from;
        if (from < part.least || to > part.most || from > to || step < 1) {
            throw part.fault(item);
        }
        var bits = 0L;
        for (var value = from; value <= to; value += step) {
            bits |= 1L << value;
        }
        return new Values(bits, isStar && step == 1);
    }

    private static int value(Part part, String text, String item) {
        var named = part.names.indexOf(text.toLowerCase(Locale.ROOT));
        return named >= 0 ? named + part.least : number(part, text, item);
    }

    private static int number(Part part, String text, String item) {
        if (text.isEmpty() || text.length() > 4 || !text.chars().allMatch(CronSchedule::isDigit)) {
            throw part.fault(item);
        }
        return Integer.parseInt(text);
    }

    private static boolean isDigit(int letter) {
        return letter >= '0' && letter <= '9';
    }

    /// The first moment of the schedule after this one, or null when none comes for years: the 30th
    /// of February.
    public @Nullable Instant nextAfter(Instant moment) {
        var start = moment.atOffset(ZoneOffset.UTC).toLocalDateTime();
        // The first whole minute that is not before the moment, and after it.
        var minute = start.withSecond(0).withNano(0).plusMinutes(1);
        var end = minute.toLocalDate().plusYears(YEARS_MAX);
        var minuteOfDay = minute.getHour() * 60 + minute.getMinute();
        for (var day = minute.toLocalDate(); day.isBefore(end); day = day.plusDays(1)) {
            var found = isDay(day) ? firstMinute(minuteOfDay) : -1;
            if (found >= 0) {
                return day.atStartOfDay().plusMinutes(found).toInstant(ZoneOffset.UTC);
            }
            minuteOfDay = 0;
        }
        return null;
    }

    private boolean isDay(LocalDate day) {
        if (!months.has(day.getMonthValue())) {
            return false;
        }
        var isOfMonth = daysOfMonth.has(day.getDayOfMonth());
        var isOfWeek = daysOfWeek.has(day.getDayOfWeek().getValue() % 7);
        return (daysOfMonth.isOpen() || daysOfWeek.isOpen())
                ? isOfMonth && isOfWeek
                : isOfMonth || isOfWeek;
    }

    /// The first minute of a day from this one on, or -1 when the day has no more.
    private int firstMinute(int from) {
        var hour = hours.next(from / 60, 23);
        var minute = minutes.next(hour == from / 60 ? from % 60 : 0, 59);
        if (minute > 59) {
            hour = hours.next(hour + 1, 23);
            minute = minutes.next(0, 59);
        }
        return hour > 23 ? -1 : hour * 60 + minute;
    }

    @Override
    public String toString() {
        return text;
    }
}
