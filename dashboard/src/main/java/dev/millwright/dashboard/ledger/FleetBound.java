package dev.millwright.dashboard.ledger;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/// The least that the pods on nodes of ours could cost, on any fleet from scratch: the lower bound
/// of a plan for them in an empty cluster. Daemons are left out: each new node brings its own.
public final class FleetBound {

    private FleetBound() {}

    public static double perHour(SchedulingProblem problem) {
        var snapshot = problem.snapshot();
        var ours =
                snapshot.nodes().stream()
                        .filter(StateNode::isManaged)
                        .map(StateNode::name)
                        .collect(Collectors.toCollection(HashSet::new));
        var pods =
                snapshot.pods().stream()
                        .filter(pod -> ours.contains(String.valueOf(pod.state().nodeName())))
                        .filter(pod -> pod.state().isReschedulable())
                        .map(FleetBound::waiting)
                        .toList();
        if (pods.isEmpty()) {
            return 0;
        }
        var emptied =
                new Snapshot(
                        List.of(),
                        pods,
                        snapshot.daemonSets(),
                        snapshot.namespaces(),
                        snapshot.storage(),
                        List.of(),
                        snapshot.workloads(),
                        snapshot.takenAt());
        // The packing has the closer bound; its search is not needed for that.
        var policy = problem.policy().withPacking(Packing.CHEAPEST).withEffort(0);
        return Planner.plan(
                        new SchedulingProblem(
                                emptied, problem.nodePools(), problem.catalogs(), policy))
                .lowerBoundPerHour();
    }

    private static Pod waiting(Pod pod) {
        return pod.withState(PodState.WAITING.withOwners(pod.state().owners()));
    }
}
