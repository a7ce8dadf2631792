package dev.millwright.addons.object;

import dev.millwright.core.quantity.GoDuration;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// How long something may take, where a year is as good as for ever.
final class GoDurations {

    private static final Duration MOST = Duration.ofDays(365);

    private GoDurations() {}

    /// Null for what is none, a negative one included.
    static @Nullable Duration read(String text) {
        var read = GoDuration.parse(text);
        if (read == null || read.isNegative()) {
            return null;
        }
        return read.compareTo(MOST) > 0 ? MOST : read;
    }
}
