package dev.millwright.kube.document;

/// Lets equal short texts be one object. Labels, names of resources and amounts repeat in every
/// pod, and a snapshot of 50,000 pods otherwise holds each of them as often.
final class SharedTexts {

    /// Slots; a text that meets another in its slot replaces it. A power of two.
    private static final int SLOTS = 1 << 13;

    /// Longer texts are rarely the same.
    private static final int LENGTH_MAX = 64;

    private final String[] slots = new String[SLOTS];

    String shared(String text) {
        if (text.length() > LENGTH_MAX) {
            return text;
        }
        var hash = text.hashCode();
        var slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
        var known = slots[slot];
        if (text.equals(known)) {
            return known;
        }
        slots[slot] = text;
        return text;
    }
}
