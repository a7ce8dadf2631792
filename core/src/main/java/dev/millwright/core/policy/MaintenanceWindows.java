package dev.millwright.core.policy;

import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.jspecify.annotations.Nullable;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// When nodes of a pool may go by choice: `Sat,Sun 02:00-06:00 Europe/Berlin; Drifted: daily
/// 03:00-04:30`.
///
/// A moment is inside a window when the clock on the wall there says so: an hour that a night has
/// twice counts twice, and one that a night leaves out does not come. A window across midnight
/// belongs to the day it begins on.
public record MaintenanceWindows(List<Window> windows) {

    public static final MaintenanceWindows NONE = new MaintenanceWindows(List.of());

    static final int MINUTES_OF_DAY = 24 * 60;

    /// Every window comes within a week, or within two if the clocks leave it out once.
    private static final int DAYS_AHEAD_MAX = 15;

    /// One window. No reasons means all; `toMinute` is beyond the day when it crosses midnight.
    public record Window(
            List<Reason> reasons, List<DayOfWeek> days, int fromMinute, int toMinute, ZoneId zone) {

        public Window {
            reasons = List.copyOf(reasons);
            days = List.copyOf(days);
        }

        boolean isAbout(Reason reason) {
            return reason.isVoluntary() && (reasons.isEmpty() || reasons.contains(reason));
        }

        boolean isOpen(Instant now) {
            var local = now.atZone(zone);
            var minute = local.getHour() * 60 + local.getMinute();
            var today = local.getDayOfWeek();
            return (days.contains(today) && fromMinute <= minute && minute < toMinute)
                    || (days.contains(today.minus(1)) && minute + MINUTES_OF_DAY < toMinute);
        }

        /// The first moment after this one at which it opens, or null when none comes.
        @Nullable Instant opensAfter(Instant now) {
            var today = now.atZone(zone).toLocalDate();
            for (var ahead = 0; ahead <= DAYS_AHEAD_MAX; ahead++) {
                var day = today.plusDays(ahead);
                if (!days.contains(day.getDayOfWeek())) {
                    continue;
                }
                for (var opening : moments(day.atStartOfDay().plusMinutes(fromMinute))) {
                    if (opening.isAfter(now) && isOpen(opening)) {
                        return opening;
                    }
                }
            }
            return null;
        }

        /// When the clock on the wall shows this: once, or twice where clocks are put back. Where
        /// they are put forward past it, the moment they are.
        private List<Instant> moments(LocalDateTime local) {
            var transition = zone.getRules().getTransition(local);
            if (transition == null) {
                return List.of(local.atZone(zone).toInstant());
            }
            return transition.isGap()
                    ? List.of(transition.getInstant())
                    : List.of(
                            local.toInstant(transition.getOffsetBefore()),
                            local.toInstant(transition.getOffsetAfter()));
        }
    }

    public MaintenanceWindows {
        windows = List.copyOf(windows);
    }

    /// @throws IllegalArgumentException when the text is none; the message says what to mend
    public static MaintenanceWindows parse(String text) {
        return new MaintenanceWindows(WindowReader.read(text));
    }

    /// Whether nodes may go for the reason now: no window is about it, or one that is is open.
    public boolean allows(Reason reason, Instant now) {
        var about = windows.stream().filter(each -> each.isAbout(reason)).toList();
        return about.isEmpty() || about.stream().anyMatch(each -> each.isOpen(now));
    }

    /// When the next window about the reason opens; null when none does.
    public @Nullable Instant opensAfter(Reason reason, Instant now) {
        return windows.stream()
                .filter(each -> each.isAbout(reason))
                .map(each -> each.opensAfter(now))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }
}
