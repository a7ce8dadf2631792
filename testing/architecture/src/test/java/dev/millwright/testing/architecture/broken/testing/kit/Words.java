package dev.millwright.testing.architecture.broken.testing.kit;

/// Stands for the kit of the tests.
public final class Words {}
