package dev.millwright.testing.architecture.broken.dashboard;

import dev.millwright.testing.architecture.broken.kube.Edge;

/// Imports its neighbour.
public final class Neighbour {

    public Edge edge = new Edge();
}
