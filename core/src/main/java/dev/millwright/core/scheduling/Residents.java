package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.scheduling.Plan.WaitingPod;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The pods of a cluster, sorted by where they are; plans that do without some of its nodes share
/// it.
///
/// `waiting` are those without a node that are sound, `rejected` those that are not. `goingNodes`
/// go anyway. `keysKeptAway` are the labels that some pod looks at to keep others away.
record Residents(
        List<Pod> waiting,
        List<WaitingPod> rejected,
        Map<String, List<Pod>> byNode,
        Set<String> goingNodes,
        Set<String> keysKeptAway,
        DisruptionBudgets budgets) {

    static Residents of(SchedulingProblem problem) {
        var snapshot = problem.snapshot();
        var soundness = new PodSoundness(problem);
        var waiting = new ArrayList<Pod>();
        var rejected = new ArrayList<WaitingPod>();
        var byNode = new HashMap<String, List<Pod>>();
        var keys = new TreeSet<String>();
        for (var pod : snapshot.pods()) {
            for (var term : pod.placement().podAntiAffinity().required()) {
                if (term.selector() != null) {
                    keys.addAll(term.selector().keys());
                }
            }
            var node = pod.state().nodeName();
            if (node != null) {
                byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(pod);
            }
            if (pod.state().isProvisionable()) {
                var fault = soundness.fault(pod);
                if (fault == null) {
                    waiting.add(pod);
                } else {
                    rejected.add(new WaitingPod(pod.name(), fault));
                }
            }
        }
        var going = new HashSet<String>();
        for (var node : snapshot.nodes()) {
            if (node.isMarkedForDeletion()) {
                going.add(node.name());
            }
        }
        return new Residents(
                Collections.unmodifiableList(waiting),
                Collections.unmodifiableList(rejected),
                byNode,
                going,
                keys,
                new DisruptionBudgets(snapshot.disruptionBudgets()));
    }

    /// The pods a plan is made for: those that wait, and those that will come back elsewhere
    /// because their node goes.
    List<Pod> toPlace(SchedulingProblem problem) {
        var pods = new ArrayList<>(waiting);
        var now = problem.snapshot().takenAt();
        for (var node : goingNodes) {
            if (!problem.removed().contains(node)) {
                for (var pod : on(node)) {
                    if (pod.isReschedulable(budgets, now)) {
                        pods.add(pod);
                    }
                }
            }
        }
        for (var node : problem.removed()) {
            for (var pod : on(node)) {
                var isForced = problem.isForced() && pod.state().isReschedulable();
                if (isForced || pod.isReschedulable(budgets, now)) {
                    pods.add(pod);
                }
            }
        }
        return pods;
    }

    List<Pod> on(String node) {
        return byNode.getOrDefault(node, List.of());
    }
}
