package dev.millwright.testing.bench.differential;

/// One way in which our answer is not one of the peer's.
record Difference(Kind kind, String text) {

    enum Kind {
        /// We threw, or the checker found the plan wrong.
        BROKEN,
        /// Pods wait that the peer places.
        WE_WAIT,
        /// Pods are placed that wait with the peer.
        PEER_WAITS,
        /// Pods went to other existing nodes.
        EXISTING,
        /// Our first fit costs more.
        FIRST_FIT_PRICE,
        /// Our cheapest plan costs more.
        CHEAPEST_PRICE
    }
}
