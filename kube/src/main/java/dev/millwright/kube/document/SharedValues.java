package dev.millwright.kube.document;

import org.jspecify.annotations.Nullable;

/// Lets equal short texts of all objects of all watches be one value: labels, names of resources
/// and amounts repeat in every pod.
///
/// One table for all threads, without a lock: a value is immutable, so whichever of two writers
/// wins a slot, its reader sees a whole value, and at worst one text stands in memory twice.
final class SharedValues {

    /// Slots; a text that meets another in its slot replaces it. A power of two.
    private static final int SLOTS = 1 << 14;

    /// Longer texts are rarely the same.
    private static final int LENGTH_MAX = 64;

    private static final Value.@Nullable Text[] TABLE = new Value.Text[SLOTS];

    private SharedValues() {}

    static Value.Text text(String text) {
        if (text.length() > LENGTH_MAX) {
            return new Value.Text(Position.NOWHERE, text);
        }
        var hash = text.hashCode();
        var slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
        var known = TABLE[slot];
        if (known != null && known.text().equals(text)) {
            return known;
        }
        var fresh = new Value.Text(Position.NOWHERE, text);
        TABLE[slot] = fresh;
        return fresh;
    }
}
