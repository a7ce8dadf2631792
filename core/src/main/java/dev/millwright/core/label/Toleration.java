package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

/// What lets a pod stay on a tainted node. An empty key with `Exists` covers every key; no effect
/// covers every effect.
public record Toleration(String key, Match match, String value, @Nullable Effect effect) {

    /// How the value is compared. The two numeric ones are Kubernetes' comparison operators.
    public enum Match {
        EQUAL,
        EXISTS,
        LESS_THAN,
        GREATER_THAN
    }

    /// Covers every taint that merely prefers to be left alone: the last soft wish that is given
    /// up.
    public static final Toleration PREFER_NO_SCHEDULE =
            new Toleration("", Match.EXISTS, "", Effect.PREFER_NO_SCHEDULE);

    public boolean tolerates(Taint taint) {
        if (effect != null && effect != taint.effect()) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return switch (match) {
            case EXISTS -> true;
            case EQUAL -> value.equals(taint.value());
            case LESS_THAN -> compare(taint) < 0;
            case GREATER_THAN -> compare(taint) > 0;
        };
    }

    /// Order of the taint's number against ours; 0 (never tolerated) where either is no whole
    /// number.
    private int compare(Taint taint) {
        var ours = Requirement.wholeNumber(value);
        var theirs = Requirement.wholeNumber(taint.value());
        return ours == null || theirs == null ? 0 : Long.compare(theirs, ours);
    }
}
