package dev.millwright.core.disruption;

import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which nodes run empty by themselves: new pods are steered away from them, and a workload that
/// shrinks gives up its pods there first.
///
/// What the scheduler likes best is the emptiest node, and what a shrinking workload gives up is
/// spread over the fleet: both keep every node half full, so that whoever consolidates has many
/// pods to move. Steered away from a quarter of the fleet, pods come and go so that these nodes are
/// nearly empty when their turn comes.
public final class Steering {

    /// A larger share helps little more and leaves fewer nodes to choose from.
    private static final double SHARE = 0.25;

    /// By how much a node must be emptier than one that is steered away from to take its place.
    /// Each change of mind is a write.
    private static final double STAYS = 0.1;

    private Steering() {}

    /// A node that consolidation may take.
    ///
    /// @param fill the larger of its shares of processors and memory that pods ask for, from 0 to 1
    public record Fill(String node, double fill, boolean isSteered) {

        private double rank() {
            return isSteered ? fill - STAYS : fill;
        }
    }

    /// The names of the nodes to steer away from. One node at least is left for pods to go to.
    public static SortedSet<String> away(List<Fill> nodes) {
        var count = Math.min((int) Math.ceil(nodes.size() * SHARE), nodes.size() - 1);
        var away = new TreeSet<String>();
        nodes.stream()
                .sorted(Comparator.comparingDouble(Fill::rank).thenComparing(Fill::node))
                .limit(Math.max(0, count))
                .forEach(fill -> away.add(fill.node()));
        return away;
    }
}
