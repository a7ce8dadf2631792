package dev.millwright.testing.architecture.broken.capi;

import dev.millwright.testing.architecture.broken.controllers.sleep.Sleeper;

/// Knows a loop of the autoscaler.
public final class Curious {

    public Sleeper sleeper = new Sleeper();
}
