package dev.millwright.world.workload;

import dev.millwright.core.label.Effect;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.scheduler.NodeChoice;

import java.util.ArrayList;
import java.util.List;

/// Which nodes a DaemonSet's pods are for.
final class NodeEligibility {

    /// What every daemon's pod tolerates, beside its own tolerations.
    private static final List<Value> TOLERATIONS =
            List.of(
                    toleration("node.kubernetes.io/not-ready", "NoExecute"),
                    toleration("node.kubernetes.io/unreachable", "NoExecute"),
                    toleration("node.kubernetes.io/disk-pressure", "NoSchedule"),
                    toleration("node.kubernetes.io/memory-pressure", "NoSchedule"),
                    toleration("node.kubernetes.io/pid-pressure", "NoSchedule"),
                    toleration("node.kubernetes.io/unschedulable", "NoSchedule"));

    private static final Value ON_HOST_NETWORK =
            toleration("node.kubernetes.io/network-unavailable", "NoSchedule");

    private NodeEligibility() {}

    private static Value toleration(String key, String effect) {
        return Tree.of("key", key).put("operator", "Exists").put("effect", effect).mapping();
    }

    static List<Value> tolerations(Value.Mapping spec) {
        var tolerations = new ArrayList<>(Reading.list(spec, "tolerations"));
        tolerations.addAll(TOLERATIONS);
        if (Reading.isTrue(spec, "hostNetwork")) {
            tolerations.add(ON_HOST_NETWORK);
        }
        return tolerations;
    }

    /// Whether the node should run a pod of this spec, and whether one that runs may stay.
    record Verdict(boolean shouldRun, boolean mayStay) {}

    static Verdict of(Value.Mapping spec, NodeFacts node) {
        if (!NodeChoice.matches(spec, node)) {
            return new Verdict(false, false);
        }
        var tolerations = Reading.tolerations(Tree.list(tolerations(spec)));
        var shouldRun = true;
        for (var taint : node.taints()) {
            if (tolerations.stream().anyMatch(each -> each.tolerates(taint))) {
                continue;
            }
            if (taint.effect() == Effect.NO_EXECUTE) {
                return new Verdict(false, false);
            }
            shouldRun &= taint.effect() == Effect.PREFER_NO_SCHEDULE;
        }
        return new Verdict(shouldRun, true);
    }
}
