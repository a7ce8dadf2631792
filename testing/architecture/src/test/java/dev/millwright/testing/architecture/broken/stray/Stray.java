package dev.millwright.testing.architecture.broken.stray;

/// Stands in no module.
public final class Stray {}
