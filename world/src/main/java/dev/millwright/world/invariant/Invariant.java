package dev.millwright.world.invariant;

import dev.millwright.world.invariant.seen.Sight;

import java.time.Instant;

/// Something that must hold in every world at every moment. It is told all that happens and reports
/// each breach once.
public interface Invariant {

    String name();

    void saw(Sight sight);

    /// Nothing happens after this moment.
    default void end(Instant at) {}

    default Breach breach(Instant at, String message) {
        return new Breach(at, name(), message);
    }
}
