package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;

/// Why requirements cannot be met together.
public sealed interface Mismatch {

    /// Nobody defines the key. The hint is a key that was perhaps meant.
    record Undefined(String key, @Nullable String hint) implements Mismatch {}

    /// Both sides define the key and share no value.
    record Disjoint(String key, Requirement incoming, Requirement existing) implements Mismatch {}

    /// One side asks for two things of the key that exclude each other.
    record Contradiction(String key) implements Mismatch {}

    /// The label it is about.
    String key();

    default String explain() {
        return switch (this) {
            case Undefined(var key, var hint) ->
                    "label \"%s\" does not have known values%s"
                            .formatted(
                                    key, hint == null ? "" : " (typo of \"%s\"?)".formatted(hint));
            case Contradiction(var key) ->
                    "label \"%s\": what is asked for contradicts itself".formatted(key);
            case Disjoint(var key, var incoming, var existing) ->
                    "label \"%s\": wanted %s, offered %s".formatted(key, incoming, existing);
        };
    }

    /// A known key that was perhaps meant: one with the same name behind the slash, else one that
    /// contains the unknown key or ends like it, else one that a slip of the pen or two made of it.
    static @Nullable String hint(String key, Set<String> wellKnown, Set<String> defined) {
        var suffix = key.substring(key.indexOf('/') + 1);
        var candidates = new ArrayList<>(new TreeSet<>(wellKnown));
        candidates.addAll(new TreeSet<>(defined));
        for (var candidate : candidates) {
            if (candidate.endsWith("/" + suffix)) {
                return candidate;
            }
        }
        for (var candidate : candidates) {
            if (candidate.contains(key) || candidate.endsWith(suffix)) {
                return candidate;
            }
        }
        var slip = Slips.nearest(key, candidates);
        if (slip != null) {
            return slip;
        }
        for (var candidate : candidates) {
            if (Slips.isLikely(suffix, candidate.substring(candidate.indexOf('/') + 1))) {
                return candidate;
            }
        }
        return null;
    }
}
