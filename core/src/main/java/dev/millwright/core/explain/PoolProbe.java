package dev.millwright.core.explain;

import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.Simulator;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Asks the planner whether a pool buys a node for a pod that asks for nothing and tolerates
/// everything: what refuses this one refuses all.
///
/// The pool is alone and open, its nodes count against its limits and are full; daemons come along,
/// because they need room on a new node.
final class PoolProbe {

    private static final Pod POD =
            new Pod(
                    new ObjectName("default", "any-pod"),
                    "",
                    Instant.EPOCH,
                    new TreeMap<>(),
                    new TreeMap<>(),
                    Resources.of(Resources.PODS, Quantity.ONE),
                    PodPlacement.ANYWHERE.withTolerations(
                            List.of(new Toleration("", Toleration.Match.EXISTS, "", null))),
                    List.of(),
                    List.of(),
                    false,
                    PodState.WAITING);

    private final SchedulingProblem problem;

    PoolProbe(SchedulingProblem whole, String pool) {
        this.problem = whole.withSnapshot(emptied(whole.snapshot(), pool));
    }

    private static Snapshot emptied(Snapshot snapshot, String pool) {
        var full = new ArrayList<StateNode>();
        for (var node : snapshot.nodes()) {
            if (!node.isMarkedForDeletion()
                    && pool.equals(node.labels().get(LabelKeys.NODE_POOL))) {
                full.add(full(node));
            }
        }
        var pods = new ArrayList<>(List.of(POD));
        snapshot.pods().stream().filter(PoolProbe::isDaemon).forEach(pods::add);
        return snapshot.withNodes(full).withPods(pods);
    }

    private static StateNode full(StateNode node) {
        return StateNode.of(
                new Node(
                        node.name(),
                        "",
                        node.labels(),
                        new TreeMap<>(),
                        List.of(),
                        node.capacity(),
                        Resources.NONE,
                        new TreeMap<>(),
                        false),
                null);
    }

    private static boolean isDaemon(Pod pod) {
        return pod.state().isBound()
                && pod.state().owners().stream()
                        .anyMatch(owner -> owner.kind().equals("DaemonSet"));
    }

    static Pod pod() {
        return POD;
    }

    /// What the planner is asked.
    SchedulingProblem problem(NodePool pool) {
        return problem.withNodePools(
                List.of(
                        new NodePool(
                                pool.name(),
                                pool.weight(),
                                pool.limits(),
                                pool.template(),
                                null,
                                true,
                                false,
                                pool.nodeFeePerHour())));
    }

    /// Why it buys none, or null when it does.
    @Nullable WaitReason refusal(NodePool pool) {
        var plan = new Simulator(problem(pool)).without(List.of(), Packing.FIRST_FIT);
        return plan.waiting().stream()
                .filter(waiting -> waiting.pod().equals(POD.name()))
                .map(waiting -> waiting.reason())
                .findFirst()
                .orElse(null);
    }
}
