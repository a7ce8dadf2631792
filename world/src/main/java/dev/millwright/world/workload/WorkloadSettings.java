package dev.millwright.world.workload;

import dev.millwright.world.cluster.Span;

import java.time.Duration;

/// How long controllers take, and what they may do at once.
///
/// @param latency from a change until its controller has looked at it
/// @param podsPerRound pods a controller makes or deletes in one look
/// @param roundPause between two such looks
/// @param provision until a volume is made for a claim
/// @param attach until a volume is attached
/// @param detach from the end of the last pod on the node until its volume is detached
/// @param nodeGrace from the last heartbeat until a node's state is unknown
/// @param podCollection from a Node's end until the pods left on it are deleted
/// @param deletesNodesOfDeadMachines whether a cloud's node controller runs: it deletes Nodes that
///   are not ready and whose machine is gone
record WorkloadSettings(
        Duration latency,
        int podsPerRound,
        Duration roundPause,
        Span provision,
        Span attach,
        Span detach,
        Span nodeGrace,
        Span podCollection,
        boolean deletesNodesOfDeadMachines) {

    static WorkloadSettings usual() {
        return new WorkloadSettings(
                Duration.ofMillis(100),
                500,
                Duration.ofMillis(500),
                Span.seconds(2, 8),
                Span.seconds(2, 10),
                Span.seconds(3, 15),
                Span.seconds(40, 50),
                Span.seconds(40, 60),
                true);
    }
}
