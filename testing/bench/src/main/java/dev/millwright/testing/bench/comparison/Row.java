package dev.millwright.testing.bench.comparison;

import org.jspecify.annotations.Nullable;

/// One problem, solved by us in both ways and by the peer; no peer where it was left out.
///
/// @param isGiven whether the file came from outside and only looks like one of our problems
record Row(
        String name,
        boolean isGiven,
        OwnFigures firstFit,
        OwnFigures cheapest,
        @Nullable PeerFigures peer) {

    /// A given file may be named like one of ours.
    String label() {
        return isGiven ? name + " (given)" : name;
    }

    int pods() {
        return firstFit.pods();
    }

    /// The greatest that either plan proves: the bound is one of the problem.
    double lowerBoundPerHour() {
        return Math.max(firstFit.lowerBoundPerHour(), cheapest.lowerBoundPerHour());
    }

    /// A peer that was stopped has an answer, but not the whole one.
    @Nullable PeerFigures finishedPeer() {
        return peer == null || peer.isTimedOut() ? null : peer;
    }
}
