package dev.millwright.controllers.capacitybuffer;

import java.time.Instant;

/// Whom to tell that a pass should look at a buffer.
@FunctionalInterface
public interface Trigger {
    void trigger(String uid, Instant now);
}
