package dev.millwright.kube.cache;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

/// An object came (no before), changed, or went (no after).
public record Change<T>(ObjectName name, @Nullable T before, @Nullable T after) {

    /// The object as it is, or as it was last.
    public T latest() {
        if (after != null) {
            return after;
        }
        if (before == null) {
            throw new IllegalStateException("a change of %s has two ends".formatted(name));
        }
        return before;
    }

    public boolean isCreation() {
        return before == null;
    }

    public boolean isRemoval() {
        return after == null;
    }
}
