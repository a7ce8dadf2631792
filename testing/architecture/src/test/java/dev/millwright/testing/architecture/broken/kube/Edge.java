package dev.millwright.testing.architecture.broken.kube;

/// Stands for the Kubernetes edge.
public final class Edge {}
