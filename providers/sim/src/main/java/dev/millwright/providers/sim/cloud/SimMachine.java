package dev.millwright.providers.sim.cloud;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.Notice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A machine and what has become of it. Owned by its cloud.
final class SimMachine {

    enum Phase {
        RUNNING,
        /// Asked to go.
        LEAVING,
        /// Gone, though listings may not have heard of it.
        STOPPED
    }

    private final Machine machine;
    private final MachineClaim claim;
    private final OfferingKey key;
    private final Instant listedFrom;
    private Phase phase = Phase.RUNNING;
    private @Nullable Notice notice;

    SimMachine(Machine machine, MachineClaim claim, OfferingKey key, Instant listedFrom) {
        this.machine = machine;
        this.claim = claim;
        this.key = key;
        this.listedFrom = listedFrom;
    }

    String id() {
        return machine.providerId();
    }

    MachineClaim claim() {
        return claim;
    }

    OfferingKey key() {
        return key;
    }

    Phase phase() {
        return phase;
    }

    void enter(Phase next) {
        phase = next;
    }

    boolean isSpot() {
        return key.capacityType().equals(LabelKeys.CAPACITY_TYPE_SPOT);
    }

    /// Whether the machine can still be told that it will be taken back.
    boolean takesNotice() {
        return phase == Phase.RUNNING && notice == null;
    }

    void notice(Notice told) {
        notice = told;
    }

    @Nullable Notice notice() {
        return notice;
    }

    boolean isListed(Instant now) {
        return !now.isBefore(listedFrom);
    }

    Machine shown() {
        return phase == Phase.RUNNING ? machine : machine.terminating();
    }
}
