package dev.millwright.world.invariant.seen;

import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;

import java.time.Instant;

/// A machine that runs, and the claim it was launched for.
public record SeenMachine(Machine machine, MachineClaim claim, Instant startedAt) {

    public String providerId() {
        return machine.providerId();
    }
}
