package dev.millwright.kube.object;

/// An object of which core's own value says all that matters.
public record Kept<T>(Meta meta, T value) implements KubeObject {}
