package dev.millwright.testing.bench.fleet;

import dev.millwright.testing.bench.comparison.JsonLine;

/// One fleet's answers: the whole fleet at once, node by node, and the peer's.
record FleetRow(String name, JsonLine wholeFleet, JsonLine nodeByNode, JsonLine peer) {

    /// CPU time of the first decision.
    static double first(JsonLine any) {
        return any.at("first").number("cpuMillis");
    }

    /// CPU time of the decision that finds nothing more.
    static double last(JsonLine any) {
        return any.has("last")
                ? any.at("last").number("cpuMillis")
                : any.lastOf("passes").number("cpuMillis");
    }

    static double finalPrice(JsonLine any) {
        return any.at("final").number("pricePerHour");
    }

    /// Whether the peer was stopped before it had found nothing more.
    boolean isPeerCut() {
        return peer.isTrue("cut");
    }

    /// Whether the peer was stopped, or gave up, before it had looked at all nodes.
    boolean isPeerUnfinished() {
        return isPeerCut() || peer.isTrue("timedOut");
    }
}
