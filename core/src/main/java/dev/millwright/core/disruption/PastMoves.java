package dev.millwright.core.disruption;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// What consolidations of the whole fleet did before, as far as it keeps a next one from going
/// round in circles.
///
/// `settled` are nodes that one of them bought, by name, since when nothing outside has changed:
/// they are not replaced again. `vain` are targets that one of them asked for a while ago and did
/// not get.
public record PastMoves(SortedSet<String> settled, Set<Target> vain) {

    public static final PastMoves NONE = new PastMoves(new TreeSet<>(), Set.of());

    /// An instance type as a node of a pool.
    public record Target(String nodePool, String instanceType) {}

    public PastMoves {
        settled = Collections.unmodifiableSortedSet(new TreeSet<>(settled));
        vain = Set.copyOf(vain);
    }

    boolean isSettled(Candidate candidate) {
        return settled.contains(candidate.name());
    }

    boolean isVain(String nodePool, String instanceType) {
        return !vain.isEmpty() && vain.contains(new Target(nodePool, instanceType));
    }
}
