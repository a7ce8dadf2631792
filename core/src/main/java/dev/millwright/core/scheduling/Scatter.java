package dev.millwright.core.scheduling;

import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PodClass.Wish;

import java.util.List;

/// Puts each pod where most of the node is free, as kube-scheduler is inclined to: it knows no
/// plan, and fills no node for the sake of another.
final class Scatter {

    private final NodeFilling filling;
    private final List<OpenNode> nodes;
    private final int cpu;
    private final int memory;
    private final long[][] totals;
    private final double[] shares;

    Scatter(NodeFilling filling, List<OpenNode> nodes, ResourceSpace resources) {
        this.filling = filling;
        this.nodes = nodes;
        this.cpu = resources.indexOf(Resources.CPU);
        this.memory = resources.indexOf(Resources.MEMORY);
        this.totals = new long[nodes.size()][];
        this.shares = new double[nodes.size()];
        for (var place = 0; place < shares.length; place++) {
            totals[place] = resources.supply(nodes.get(place).room().node().allocatable());
            shares[place] = share(place);
        }
    }

    private double share(int place) {
        return share(place, cpu) + share(place, memory);
    }

    private double share(int place, int resource) {
        return resource < 0
                ? 0
                : (double) nodes.get(place).left(resource) / Math.max(1, totals[place][resource]);
    }

    boolean place(int pod, PodClass podClass, Wish wish) {
        var place = filling.placeOnWidest(pod, podClass, wish, shares);
        if (place >= 0) {
            shares[place] = share(place);
        }
        return place >= 0;
    }
}
