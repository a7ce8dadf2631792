package dev.millwright.core.policy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// How many of a pool's nodes may be disrupted at once.
public record NodePoolBudgets(List<Budget> budgets) {

    /// What a pool without an active budget allows.
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /// Of a pool that sets none: every node may go.
    public static final NodePoolBudgets NONE = new NodePoolBudgets(List.of());

    /// Most of a faulty text that a message repeats.
    private static final int SHOWN_LENGTH_MAX = 64;

    /// Windows in a row that are followed until one ends.
    private static final int WINDOWS_MAX = 1_000;

    private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");
    private static final Pattern SHARE = Pattern.compile("[0-9]{1,3}%");

    /// Why a node is disrupted.
    public enum Reason {
        UNDERUTILIZED("Underutilized"),
        EMPTY("Empty"),
        DRIFTED("Drifted"),
        UNHEALTHY("Unhealthy");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /// Whether nodes go for it by choice: a sick one is repaired because it must be.
        public boolean isVoluntary() {
            return this != UNHEALTHY;
        }

        private static boolean isKnown(String text) {
            return Arrays.stream(values()).anyMatch(each -> each.text.equals(text));
        }
    }

    /// How many nodes.
    public sealed interface Amount {

        record Count(int nodes) implements Amount {}

        record Share(int percent) implements Amount {}

        record Malformed(String problem) implements Amount {}

        /// Reads `5` or `10%`.
        static Amount of(String text) {
            if (SHARE.matcher(text).matches()) {
                return new Share(Integer.parseInt(text.substring(0, text.length() - 1)));
            }
            if (COUNT.matcher(text).matches()) {
                return new Count((int) Math.min(Long.parseLong(text), UNLIMITED));
            }
            return new Malformed(
                    "nodes \"%s\" is neither a number such as 5 nor a share such as 10%%"
                            .formatted(shortened(text)));
        }
    }

    /// At what times.
    public sealed interface Times {

        record Always() implements Times {}

        /// From each moment of the schedule on, for so long; windows may overlap.
        record Windows(CronSchedule schedule, Duration length) implements Times {}

        record Unreadable(String problem) implements Times {}

        /// A budget has both or neither.
        static Times of(@Nullable String schedule, @Nullable Duration length) {
            if (schedule == null) {
                return length == null
                        ? new Always()
                        : new Unreadable("duration stands without a schedule; give both");
            }
            try {
                var parsed = CronSchedule.parse(schedule);
                return new Windows(parsed, length == null ? Duration.ZERO : length);
            } catch (IllegalArgumentException fault) {
                return new Unreadable(
                        "schedule \"%s\": %s".formatted(shortened(schedule), fault.getMessage()));
            }
        }

        /// A schedule that never comes counts as one that is always on, as in Karpenter.
        private boolean isActive(Instant now) {
            return switch (this) {
                case Always() -> true;
                case Windows(var schedule, var length) -> {
                    var start = schedule.nextAfter(now.minus(length));
                    yield start == null || !start.isAfter(now);
                }
                case Unreadable(_) -> false;
            };
        }
    }

    /// No reasons means all of them.
    public record Budget(Amount amount, @Nullable List<String> reasons, Times times) {

        public Budget {
            reasons = reasons == null ? null : List.copyOf(reasons);
        }

        public static Budget of(
                String nodes,
                @Nullable List<String> reasons,
                @Nullable String schedule,
                @Nullable Duration length) {
            return new Budget(Amount.of(nodes), reasons, Times.of(schedule, length));
        }

        public boolean isAbout(Reason reason) {
            return reasons == null || reasons.contains(reason.text());
        }

        /// What is wrong with the budget, or null. One that cannot be read allows nothing.
        public @Nullable String problem() {
            if (times instanceof Times.Unreadable(var problem)) {
                return problem;
            }
            return amount instanceof Amount.Malformed(var problem) ? problem : unknownReason();
        }

        private @Nullable String unknownReason() {
            for (var word : reasons == null ? List.<String>of() : reasons) {
                if (!Reason.isKnown(word)) {
                    return "reason \"%s\" is none; wanted Underutilized, Empty, Drifted or Unhealthy"
                            .formatted(shortened(word));
                }
            }
            return null;
        }

        public boolean isActive(Instant now) {
            return times.isActive(now);
        }

        /// When it stops being active, given that it is; null when no end is in sight.
        public @Nullable Instant activeUntil(Instant now) {
            return times instanceof Times.Windows(var schedule, var length)
                    ? lastEnd(schedule, length, now)
                    : null;
        }

        /// Windows that begin before the last has ended go on where it would have.
        private static @Nullable Instant lastEnd(
                CronSchedule schedule, Duration length, Instant now) {
            var end = now;
            var start = schedule.nextAfter(now.minus(length));
            for (var seen = 0; seen < WINDOWS_MAX; seen++) {
                if (start == null) {
                    return seen == 0 ? null : end;
                }
                if (start.isAfter(end)) {
                    return end;
                }
                end = start.plus(length);
                start = schedule.nextAfter(start);
            }
            return null;
        }

        /// How many of so many nodes. Shares are rounded up; outside its times it allows all.
        public int allowed(int nodes, Instant now) {
            if (problem() != null) {
                return 0;
            }
            if (!isActive(now)) {
                return UNLIMITED;
            }
            return switch (amount) {
                case Amount.Count(var count) -> count;
                case Amount.Share(var percent) ->
                        Math.toIntExact(Math.ceilDiv((long) percent * nodes, 100L));
                case Amount.Malformed(_) -> 0;
            };
        }
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN_LENGTH_MAX ? text : text.substring(0, SHOWN_LENGTH_MAX) + "…";
    }

    public NodePoolBudgets {
        budgets = List.copyOf(budgets);
    }

    /// The least of the budgets about this reason. One budget that cannot be read closes the pool
    /// for every reason: what it was meant to protect is not known.
    public int allowed(int nodes, Reason reason, Instant now) {
        var least = UNLIMITED;
        for (var budget : budgets) {
            if (budget.problem() != null) {
                return 0;
            }
            if (budget.isAbout(reason)) {
                least = Math.min(least, budget.allowed(nodes, now));
            }
        }
        return least;
    }

    /// All that is wrong with the budgets, each with its place in the list; empty when they are
    /// sound.
    public List<String> problems() {
        var problems = new ArrayList<String>();
        for (var index = 0; index < budgets.size(); index++) {
            var problem = budgets.get(index).problem();
            if (problem != null) {
                problems.add("budgets[%d]: %s".formatted(index, problem));
            }
        }
        return List.copyOf(problems);
    }

    /// Whether what they allow depends on the hour.
    public boolean isTimed() {
        return budgets.stream().anyMatch(budget -> budget.times() instanceof Times.Windows);
    }
}
