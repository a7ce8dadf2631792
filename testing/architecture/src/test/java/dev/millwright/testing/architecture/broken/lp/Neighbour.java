package dev.millwright.testing.architecture.broken.lp;

import dev.millwright.testing.architecture.broken.kube.Edge;

/// Imports its neighbour.
public final class Neighbour {

    public Edge edge = new Edge();
}
