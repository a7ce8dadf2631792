package dev.millwright.core.policy;

import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.quantity.GoDuration;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What people said, beside budgets, about taking a pool's nodes away by choice.
///
/// `problems` is what was said and cannot be understood: while there is one, no node goes by
/// choice, because what it was meant to protect is not known.
public record PoolControls(
        @Nullable Freeze freeze,
        MaintenanceWindows windows,
        @Nullable Duration expireSoftlyAfter,
        List<String> problems) {

    public static final PoolControls NONE =
            new PoolControls(null, MaintenanceWindows.NONE, null, List.of());

    /// A node must live longer than its replacement takes to come, or the pool never rests.
    private static final Duration EXPIRE_SOFTLY_AFTER_MIN = Duration.ofMinutes(10);

    private static final String NEVER = "Never";

    /// Most of a faulty text that is read or repeated.
    private static final int DURATION_LENGTH_MAX = 64;

    public PoolControls {
        problems = List.copyOf(problems);
    }

    public static PoolControls of(String pool, Map<String, String> annotations) {
        var problems = new ArrayList<String>();
        return new PoolControls(
                Freeze.ofPool(pool, annotations),
                windows(annotations.get(ControlKeys.MAINTENANCE_WINDOWS), problems),
                age(annotations.get(ControlKeys.EXPIRE_SOFTLY_AFTER), problems),
                problems);
    }

    private static MaintenanceWindows windows(@Nullable String text, List<String> problems) {
        if (text == null) {
            return MaintenanceWindows.NONE;
        }
        try {
            return MaintenanceWindows.parse(text);
        } catch (IllegalArgumentException fault) {
            problems.add(problem(ControlKeys.MAINTENANCE_WINDOWS, fault.getMessage()));
            return MaintenanceWindows.NONE;
        }
    }

    private static @Nullable Duration age(@Nullable String text, List<String> problems) {
        if (text == null || text.equals(NEVER)) {
            return null;
        }
        var age = text.length() > DURATION_LENGTH_MAX ? null : GoDuration.parse(text);
        if (age == null || age.compareTo(EXPIRE_SOFTLY_AFTER_MIN) < 0) {
            var shown =
                    text.length() > DURATION_LENGTH_MAX
                            ? text.substring(0, DURATION_LENGTH_MAX) + "…"
                            : text;
            problems.add(
                    problem(
                            ControlKeys.EXPIRE_SOFTLY_AFTER,
                            "found \"%s\"; wanted a duration of at least %s such as 168h, or Never"
                                    .formatted(shown, GoDuration.format(EXPIRE_SOFTLY_AFTER_MIN))));
            return null;
        }
        return age;
    }

    private static String problem(String key, @Nullable String message) {
        return "metadata.annotations[%s]: %s".formatted(key, message);
    }

    /// A freeze of the whole cluster outweighs the pool's own.
    public PoolControls within(@Nullable Freeze ofCluster) {
        return ofCluster == null
                ? this
                : new PoolControls(ofCluster, windows, expireSoftlyAfter, problems);
    }

    public PoolControls unfrozen() {
        return new PoolControls(null, windows, expireSoftlyAfter, problems);
    }

    /// With what else of the pool cannot be understood.
    public PoolControls and(List<String> otherProblems) {
        if (otherProblems.isEmpty()) {
            return this;
        }
        var all = new ArrayList<>(problems);
        all.addAll(otherProblems);
        return new PoolControls(freeze, windows, expireSoftlyAfter, all);
    }
}
