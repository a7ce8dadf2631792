package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;

import org.jspecify.annotations.Nullable;

/// Tells whether a pod that waits can be planned for at all.
final class PodSoundness {

    private final LabelVocabulary vocabulary;
    private final VolumeReader volumes;

    PodSoundness(SchedulingProblem problem) {
        this.vocabulary = problem.policy().vocabulary();
        this.volumes = new VolumeReader(problem.snapshot().storage(), problem.policy());
    }

    /// What is wrong with the pod, or null.
    @Nullable WaitReason fault(Pod pod) {
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
}
