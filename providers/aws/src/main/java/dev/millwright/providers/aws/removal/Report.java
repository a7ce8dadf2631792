package dev.millwright.providers.aws.removal;

import java.util.List;

/// What came of a removal.
///
/// @param removed that were there and are no more
/// @param forced the instances that were ended without waiting for their pods any longer
/// @param released the objects whose finalizers nobody else would have taken off
/// @param left what is still there when it was last asked; empty when nothing is
public record Report(
        List<Leftover> removed, List<String> forced, List<String> released, List<Leftover> left) {

    public Report {
        removed = List.copyOf(removed);
        forced = List.copyOf(forced);
        released = List.copyOf(released);
        left = List.copyOf(left);
    }
}
