package dev.millwright.capi.machine.roll;

import org.jspecify.annotations.Nullable;

/// One set of a deployment in numbers.
///
/// @param wanted what it was told to have
/// @param live its machines that are not being deleted
/// @param available those of them that count as available
/// @param there its machines, those being deleted among them
/// @param isObserved whether it has acted on what it was last told; until then a creation or
///   deletion by an older number may still be on its way
/// @param desired what the deployment wanted in all when this set was last told; null when unknown
/// @param most the most machines the deployment allowed then; null when unknown
public record SetCount(
        String name,
        int wanted,
        int live,
        int available,
        int there,
        boolean isObserved,
        @Nullable Integer desired,
        @Nullable Integer most) {

    /// Machines that stay available once the set has all it was told: it takes unready ones first.
    public int safe() {
        return Math.min(available, wanted);
    }

    /// Machines the set may have by what it was told, or still has.
    public int occupied() {
        return Math.max(wanted, live);
    }

    boolean isActive() {
        return wanted > 0;
    }
}
