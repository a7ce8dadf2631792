package dev.millwright.core.policy;

import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.quantity.GoDuration;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// When nodes that are on-demand for want of spot go back to it.
///
/// @param patience for how long spot must not have been refused
public record SpotReturn(Duration patience) {

    /// Less would be shorter than refusals are remembered for.
    static final Duration PATIENCE_MIN = Duration.ofMinutes(5);

    /// However often it failed, it is tried again after so long.
    static final Duration PATIENCE_MAX = Duration.ofHours(24);

    /// A refusal so soon after a return means that the return failed.
    static final Duration FAILED_WITHIN = Duration.ofMinutes(15);

    /// Without a refusal for so long, earlier failures are forgotten.
    static final Duration FORGOTTEN_AFTER = Duration.ofHours(12);

    private static final int DOUBLINGS_MAX = 8;
    private static final int TEXT_MAX = 64;

    /// What is known of spot for one pool.
    ///
    /// @param quietSince when it was last refused, or since when we look
    /// @param triedAt when nodes were last told to go back; null when not since the last failure
    public record Past(Instant quietSince, int failures, @Nullable Instant triedAt) {

        public static Past from(Instant now) {
            return new Past(now, 0, null);
        }

        public Past tried(Instant now) {
            return new Past(quietSince, failures, now);
        }

        public Past refused(Instant now) {
            var hasFailed = triedAt != null && now.isBefore(triedAt.plus(FAILED_WITHIN));
            var isForgotten = !now.isBefore(quietSince.plus(FORGOTTEN_AFTER));
            var before = isForgotten ? 0 : failures;
            return new Past(now, hasFailed ? before + 1 : before, null);
        }
    }

    /// What a pool's annotation says; nothing when it is not there or makes no sense.
    public record Reading(@Nullable SpotReturn rule, List<String> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    public static Reading of(Map<String, String> annotations) {
        var text = annotations.get(ControlKeys.RETURN_TO_SPOT);
        if (text == null || text.equals("Never")) {
            return new Reading(null, List.of());
        }
        var patience = text.length() > TEXT_MAX ? null : GoDuration.parse(text);
        if (patience == null
                || patience.compareTo(PATIENCE_MIN) < 0
                || patience.compareTo(PATIENCE_MAX) > 0) {
            return new Reading(
                    null,
                    List.of(
                            "metadata.annotations[%s]: found \"%s\"; wanted a duration from %s to %s such as 30m, or Never"
                                    .formatted(
                                            ControlKeys.RETURN_TO_SPOT,
                                            shortened(text),
                                            GoDuration.format(PATIENCE_MIN),
                                            GoDuration.format(PATIENCE_MAX))));
        }
        return new Reading(new SpotReturn(patience), List.of());
    }

    static String shortened(String text) {
        return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) + "…" : text;
    }

    /// Each return that failed doubles the wait for the next.
    public boolean isDue(Past past, Instant now) {
        var wait = patience.multipliedBy(1L << Math.min(past.failures(), DOUBLINGS_MAX));
        var bounded = wait.compareTo(PATIENCE_MAX) > 0 ? PATIENCE_MAX : wait;
        return !now.isBefore(past.quietSince().plus(bounded));
    }
}
