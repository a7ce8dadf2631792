package dev.millwright.testing.architecture.broken.spi;

import dev.millwright.testing.architecture.broken.testing.kit.Words;

/// Is shipped, and imports what is for tests.
public final class Leaning {

    public Words words = new Words();
}
