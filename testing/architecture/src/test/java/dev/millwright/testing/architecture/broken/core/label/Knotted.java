package dev.millwright.testing.architecture.broken.core.label;

import dev.millwright.testing.architecture.broken.core.quantity.Impure;
import dev.millwright.testing.architecture.broken.kube.Edge;

import org.jspecify.annotations.Nullable;

/// Imports an earlier package, which is allowed, and a neighbouring module, which is not.
public final class Knotted {

    public @Nullable Impure earlier;
    public @Nullable Edge edge;
}
