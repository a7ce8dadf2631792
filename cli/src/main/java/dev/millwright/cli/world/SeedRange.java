package dev.millwright.cli.world;

import java.util.regex.Pattern;

/// Seeds from the first to the last, both included.
public record SeedRange(long from, long to) {

    /// Bound on the seeds of one call: weeks of computing.
    public static final long SEEDS_MAX = 10_000_000;

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,18})(?:\\.\\.([0-9]{1,18}))?");

    public SeedRange {
        if (from > to) {
            throw new IllegalArgumentException(
                    "found %d..%d; wanted the smaller seed first".formatted(from, to));
        }
        if (to - from >= SEEDS_MAX) {
            throw new IllegalArgumentException(
                    "found %d seeds; wanted at most %d".formatted(to - from + 1, SEEDS_MAX));
        }
    }

    /// Reads `7` or `1..500`.
    public static SeedRange parse(String text) {
        var matcher = RANGE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "found \"%s\"; wanted one seed such as 7 or a range such as 1..500"
                            .formatted(text));
        }
        var from = Long.parseLong(matcher.group(1));
        var last = matcher.group(2);
        return new SeedRange(from, last == null ? from : Long.parseLong(last));
    }

    public long count() {
        return to - from + 1;
    }

    @Override
    public String toString() {
        return from == to ? Long.toString(from) : from + ".." + to;
    }
}
