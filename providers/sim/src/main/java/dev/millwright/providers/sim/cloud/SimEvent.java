package dev.millwright.providers.sim.cloud;

import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;

import java.time.Instant;

/// Something that happened in the cloud without being asked for.
public sealed interface SimEvent {

    Instant at();

    /// The machine runs, whether or not anybody has heard of it.
    record Started(Instant at, Machine machine, MachineClaim claim) implements SimEvent {}

    /// The machine's kubelet is up and joins its cluster, with the taints of the claim.
    record Joined(Instant at, Machine machine, MachineClaim claim) implements SimEvent {}

    /// The machine will be taken back.
    record Noticed(Instant at, String providerId, Instant endsAt) implements SimEvent {}

    /// The machine is no more.
    record Stopped(Instant at, String providerId, Cause cause) implements SimEvent {}

    enum Cause {
        TERMINATED,
        INTERRUPTED,
        CRASHED
    }
}
