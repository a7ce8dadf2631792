package dev.millwright.testing.kit;

import java.util.List;
import java.util.TreeSet;

/// Claims about where some pods are put.
public final class PlacementAssert {

    private final PlanAssert plan;
    private final List<String> pods;

    PlacementAssert(PlanAssert plan, List<String> pods) {
        this.plan = plan;
        this.pods = List.copyOf(pods);
    }

    /// All on one node.
    public PlanAssert together() {
        return distinct(1);
    }

    /// No two on one node.
    public PlanAssert apart() {
        return distinct(pods.size());
    }

    private PlanAssert distinct(int count) {
        var places = new TreeSet<>(pods.stream().map(plan::placeOrFail).toList());
        if (places.size() != count) {
            throw plan.fault(
                    "expected pods %s on %d nodes, but they are on %s: %s",
                    pods, count, places, plan.render());
        }
        return plan;
    }

    /// All on the node of this name, which is there or under way.
    public PlanAssert on(String node) {
        for (var pod : pods) {
            var place = plan.placeOrFail(pod);
            if (!place.equals(node)) {
                throw plan.fault(
                        "expected pod %s on node %s, but it is on %s: %s",
                        pod, node, place, plan.render());
            }
        }
        return plan;
    }

    public PlanAssert onNewNodes() {
        pods.forEach(plan::claimOrFail);
        return plan;
    }

    /// All on new nodes of this pool.
    public PlanAssert inPool(String pool) {
        pods.forEach(pod -> plan.claimOf(pod).inPool(pool));
        return plan;
    }

    /// All on new nodes that must lie in this zone.
    public PlanAssert inZone(String zone) {
        pods.forEach(pod -> plan.inZone(pod, zone));
        return plan;
    }
}
