package dev.millwright.world.invariant;

import dev.millwright.world.invariant.seen.SeenCluster;

import java.util.function.Consumer;

/// What all invariants of one world share: the cluster as it is now, when trouble last was, what
/// the operator cannot know, and where breaches are told.
record Court(SeenCluster cluster, Trouble trouble, Slack slack, Consumer<Breach> breaches) {

    void tell(Breach breach) {
        breaches.accept(breach);
    }
}
