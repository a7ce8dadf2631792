package dev.millwright.world.happening;

/// Sees everything that happens in a world, in order. It must not change the world.
@FunctionalInterface
public interface Witness {
    void saw(Happening happening);
}
