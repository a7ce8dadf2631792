package dev.millwright.core.policy;

import dev.millwright.core.label.ControlKeys;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/// Somebody wants no node to go by choice: `where` names the object that says so, `why` is what
/// they wrote there.
public record Freeze(String where, String why) {

    private static final int WHY_LENGTH_MAX = 256;

    public Freeze {
        why = why.strip().replaceAll("\\p{Cntrl}+", " ");
        if (why.length() > WHY_LENGTH_MAX) {
            why = why.substring(0, WHY_LENGTH_MAX) + "…";
        }
    }

    /// What the annotations of the whole cluster's object say; null when nothing is frozen.
    public static @Nullable Freeze ofCluster(Map<String, String> annotations) {
        return of("Namespace " + ControlKeys.FREEZE_NAMESPACE, annotations);
    }

    public static @Nullable Freeze ofPool(String pool, Map<String, String> annotations) {
        return of("NodePool " + pool, annotations);
    }

    /// Any value freezes, also an empty one: who took the trouble to write it wants nothing moved.
    private static @Nullable Freeze of(String where, Map<String, String> annotations) {
        var why = annotations.get(ControlKeys.FREEZE);
        return why == null ? null : new Freeze(where, why);
    }

    public String explain() {
        return "frozen by annotation %s of %s%s; remove it, or run millwright unfreeze"
                .formatted(ControlKeys.FREEZE, where, why.isEmpty() ? "" : " (" + why + ")");
    }
}
