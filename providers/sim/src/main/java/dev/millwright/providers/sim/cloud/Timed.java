package dev.millwright.providers.sim.cloud;

import java.time.Instant;

/// An answer, and the moment at which its caller sees it. What the call did was done when it was
/// made: a caller that dies in between has still launched its machine.
public record Timed<A>(A answer, Instant at) {}
