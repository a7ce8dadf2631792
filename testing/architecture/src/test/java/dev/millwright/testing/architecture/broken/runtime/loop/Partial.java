package dev.millwright.testing.architecture.broken.runtime.loop;

import dev.millwright.testing.architecture.broken.controllers.sleep.Sleeper;
import dev.millwright.testing.architecture.broken.core.label.Knotted;
import dev.millwright.testing.architecture.broken.core.quantity.Impure;

import org.jspecify.annotations.Nullable;

/// A shell that knows an operator and its nodes, which is not allowed; an amount is.
public final class Partial {

    public Sleeper sleeper = new Sleeper();
    public @Nullable Knotted label;
    public @Nullable Impure amount;
}
