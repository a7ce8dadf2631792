package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.scheduling.Plan.WaitingPod;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Chooses the pods a plan is made for: those that wait and are sound, and those whose nodes go.
record PodIntake(List<Pod> pods, List<WaitingPod> rejected) {

    static PodIntake of(SchedulingProblem problem) {
        var snapshot = problem.snapshot();
        var policy = problem.policy();
        var volumes = new VolumeReader(snapshot.storage(), policy);
        var pods = new ArrayList<Pod>();
        var rejected = new ArrayList<WaitingPod>();
        for (var pod : snapshot.pods()) {
            if (!pod.state().isProvisionable()) {
                continue;
            }
            var fault = problem(pod, policy.vocabulary(), volumes);
            if (fault == null) {
                pods.add(pod);
            } else {
                rejected.add(new WaitingPod(pod.name(), fault));
            }
        }
        pods.addAll(fromGoingNodes(problem));
        return new PodIntake(pods, rejected);
    }

    private static @Nullable WaitReason problem(
            Pod pod, LabelVocabulary vocabulary, VolumeReader volumes) {
        var placement = pod.placement();
        var pool = PodRequirements.wished(placement, vocabulary).orNull(LabelKeys.NODE_POOL);
        if (pool != null && pool.operator() == Operator.DOES_NOT_EXIST) {
            return new WaitReason.OptedOut();
        }
        for (var entry : placement.nodeSelector().entrySet()) {
            var requirement =
                    Requirement.in(vocabulary.normalize(entry.getKey()), entry.getValue());
            var problem = vocabulary.problem(requirement);
            if (problem != null) {
                return new WaitReason.Invalid("spec.nodeSelector: " + problem);
            }
        }
        for (var term : placement.nodeAffinity().required()) {
            var problem = problem(term, vocabulary);
            if (problem != null) {
                return new WaitReason.Invalid("required node affinity: " + problem);
            }
        }
        var problem = volumes.problem(pod);
        return problem == null ? null : new WaitReason.Invalid(problem);
    }

    private static @Nullable String problem(NodeAffinity.Term term, LabelVocabulary vocabulary) {
        if (term.hasMatchFields()) {
            return "matchFields are not supported; use matchExpressions";
        }
        for (var expression : term.expressions()) {
            var problem = vocabulary.problem(expression);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /// Pods that will be evicted because their node goes, and that will come back somewhere else.
    private static List<Pod> fromGoingNodes(SchedulingProblem problem) {
        var snapshot = problem.snapshot();
        var removed = problem.removed();
        Map<String, Boolean> isGoing = new HashMap<>();
        for (var node : snapshot.nodes()) {
            isGoing.put(node.name(), node.isMarkedForDeletion() || removed.contains(node.name()));
        }
        var budgets = new DisruptionBudgets(snapshot.disruptionBudgets());
        return snapshot.pods().stream()
                .filter(pod -> Boolean.TRUE.equals(isGoing.get(pod.state().nodeName())))
                .filter(
                        pod ->
                                isForced(problem, pod)
                                        || pod.isReschedulable(budgets, snapshot.takenAt()))
                .toList();
    }

    private static boolean isForced(SchedulingProblem problem, Pod pod) {
        return problem.isForced()
                && pod.state().isReschedulable()
                && problem.removed().contains(pod.state().nodeName());
    }
}
