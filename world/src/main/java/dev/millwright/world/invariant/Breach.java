package dev.millwright.world.invariant;

import java.time.Instant;

/// An invariant that did not hold: when, which, and what was found and wanted of which object.
public record Breach(Instant at, String invariant, String message) {

    @Override
    public String toString() {
        return "%s %s: %s".formatted(at, invariant, message);
    }
}
