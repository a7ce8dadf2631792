package dev.millwright.world.fault;

import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;

/// Which faults may strike now. At the end of a world it is calm, so that all must come right.
public final class Weather {

    private final Set<Fault> faults;
    private final InstantSource clock;
    private final Instant calmAt;

    public Weather(Set<Fault> faults, InstantSource clock, Instant calmAt) {
        this.faults = faults.isEmpty() ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(faults);
        this.clock = clock;
        this.calmAt = calmAt;
    }

    /// Whether the fault is switched on and may strike now.
    public boolean allows(Fault fault) {
        return faults.contains(fault) && clock.instant().isBefore(calmAt);
    }

    /// Whether the fault is switched on at all.
    public boolean has(Fault fault) {
        return faults.contains(fault);
    }

    public Instant calmAt() {
        return calmAt;
    }
}
