package dev.millwright.testing.bench.differential;

import java.util.Comparator;
import java.util.List;

/// A new node as far as both sides describe it: its pool, its pods and the types that would do, all
/// sorted.
record PlannedNode(String nodePool, List<String> pods, List<String> types)
        implements Comparable<PlannedNode> {

    private static final Comparator<PlannedNode> ORDER =
            Comparator.comparing((PlannedNode node) -> String.join(",", node.pods));

    @Override
    public int compareTo(PlannedNode other) {
        return ORDER.compare(this, other);
    }
}
