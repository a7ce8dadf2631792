package dev.millwright.core.policy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// What a cloud wants done about a node that has a condition of this type and status for longer
/// than `toleration`.
///
/// `reasonPattern` is looked for in the condition's reason; a policy with an empty one stands in
/// where no other policy for the condition finds its reason. `drainMax` bounds how long pods may
/// take to leave, even where their pool bounds nothing; zero waits for nobody, null leaves it to
/// the claim. Of sick nodes those of higher `priority` come first.
public record RepairPolicy(
        String conditionType,
        String conditionStatus,
        String reasonPattern,
        Duration toleration,
        @Nullable Duration drainMax,
        int priority,
        Action action) {

    public static final int PRIORITY_MAX = 100;

    private static final List<String> STATUSES = List.of("True", "False", "Unknown");

    /// In the order of what they cost; of several at once the last one counts.
    public enum Action {
        REBOOT("RebootNode"),
        REPLACE("ReplaceNode");

        private final String text;

        Action(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /// @throws IllegalArgumentException for what no node could ever be repaired by
    public RepairPolicy {
        var problem =
                problem(
                        conditionType,
                        conditionStatus,
                        reasonPattern,
                        toleration,
                        drainMax,
                        priority);
        if (problem != null) {
            throw new IllegalArgumentException(
                    "repair policy for %s=%s: %s"
                            .formatted(conditionType, conditionStatus, problem));
        }
    }

    /// Replaces the node, whatever the reason; pods leave as the claim says.
    public RepairPolicy(String conditionType, String conditionStatus, Duration toleration) {
        this(conditionType, conditionStatus, "", toleration, null, 0, Action.REPLACE);
    }

    private static @Nullable String problem(
            String type,
            String status,
            String pattern,
            Duration toleration,
            @Nullable Duration drainMax,
            int priority) {
        if (type.isEmpty()) {
            return "the condition's type is empty";
        }
        if (!STATUSES.contains(status)) {
            return "the condition's status is none of " + String.join(", ", STATUSES);
        }
        if (toleration.isNegative() || (drainMax != null && drainMax.isNegative())) {
            return "toleration %s and drain %s must not be negative"
                    .formatted(toleration, drainMax);
        }
        if (priority < 0 || priority > PRIORITY_MAX) {
            return "priority %d is not between 0 and %d".formatted(priority, PRIORITY_MAX);
        }
        try {
            var _ = Pattern.compile(pattern);
            return null;
        } catch (PatternSyntaxException fault) {
            return "reason \"%s\" is no regular expression: %s"
                    .formatted(pattern, fault.getDescription());
        }
    }

    public RepairPolicy forReason(String pattern) {
        return new RepairPolicy(
                conditionType, conditionStatus, pattern, toleration, drainMax, priority, action);
    }

    public RepairPolicy drainedWithin(Duration most) {
        return new RepairPolicy(
                conditionType, conditionStatus, reasonPattern, toleration, most, priority, action);
    }

    public RepairPolicy withPriority(int other) {
        return new RepairPolicy(
                conditionType, conditionStatus, reasonPattern, toleration, drainMax, other, action);
    }

    public RepairPolicy by(Action other) {
        return new RepairPolicy(
                conditionType,
                conditionStatus,
                reasonPattern,
                toleration,
                drainMax,
                priority,
                other);
    }
}
