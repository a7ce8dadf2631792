package dev.millwright.capi.tree;

import dev.millwright.core.label.Slips;

import org.jspecify.annotations.Nullable;

import java.util.Collection;

/// Finds the name that somebody may have meant.
public final class Nearest {

    private Nearest() {}

    /// Null when none is near: more than a third of the letters would have to change.
    public static @Nullable String of(String wanted, Collection<String> names) {
        String nearest = null;
        var least = Math.max(2, wanted.length() / 3) + 1;
        for (var name : names.stream().sorted().toList()) {
            var distance = Slips.between(wanted, name);
            if (distance < least) {
                least = distance;
                nearest = name;
            }
        }
        return nearest;
    }
}
