package dev.millwright.capi.tree;

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
            var distance = distance(wanted, name);
            if (distance < least) {
                least = distance;
                nearest = name;
            }
        }
        return nearest;
    }

    /// Letters to add, drop or change.
    private static int distance(String one, String other) {
        var row = new int[other.length() + 1];
        for (var column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (var line = 1; line <= one.length(); line++) {
            var diagonal = row[0];
            row[0] = line;
            for (var column = 1; column < row.length; column++) {
                var isSame = one.charAt(line - 1) == other.charAt(column - 1);
                var changed = diagonal + (isSame ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(changed, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[other.length()];
    }
}
