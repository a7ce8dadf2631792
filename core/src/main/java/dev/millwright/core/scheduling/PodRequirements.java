package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirements;

import java.util.Comparator;
import java.util.List;

/// Reads the requirements out of a pod's selector and node affinity.
final class PodRequirements {

    private PodRequirements() {}

    /// Selector and first required term: what must hold, until that term is given up for the next.
    static Requirements strict(PodPlacement placement, LabelVocabulary vocabulary) {
        var selector = vocabulary.labels(placement.nodeSelector());
        var required = placement.nodeAffinity().required();
        return required.isEmpty() ? selector : selector.and(required.getFirst().expressions());
    }

    /// [#strict] and the heaviest wish, treated as if it must hold.
    static Requirements wished(PodPlacement placement, LabelVocabulary vocabulary) {
        var strict = strict(placement, vocabulary);
        var preferred = placement.nodeAffinity().preferred();
        return preferred.isEmpty() ? strict : strict.and(heaviest(preferred).term().expressions());
    }

    /// Whether what must hold, or the heaviest wish with it, leaves no value for some key that is
    /// asked for. The algebra then says "absent", which a node without the label would meet; to
    /// kube-scheduler no node does.
    static boolean isContradictory(PodPlacement placement, Requirements result) {
        for (var requirement : result.all()) {
            if (requirement.operator() == Operator.DOES_NOT_EXIST
                    && asksFor(placement, requirement.key())) {
                return true;
            }
        }
        return false;
    }

    /// Whether anything the pod says of the key needs it to be there.
    private static boolean asksFor(PodPlacement placement, String key) {
        var required = placement.nodeAffinity().required();
        var preferred = placement.nodeAffinity().preferred();
        return placement.nodeSelector().containsKey(key)
                || (!required.isEmpty() && asksFor(required.getFirst(), key))
                || (!preferred.isEmpty() && asksFor(heaviest(preferred).term(), key));
    }

    private static boolean asksFor(NodeAffinity.Term term, String key) {
        return term.expressions().stream()
                .anyMatch(
                        expression ->
                                expression.key().equals(key)
                                        && !expression.operator().allowsAbsence());
    }

    static NodeAffinity.Preferred heaviest(List<NodeAffinity.Preferred> preferred) {
        var heaviest = preferred.getFirst();
        for (var candidate : preferred) {
            heaviest = candidate.weight() > heaviest.weight() ? candidate : heaviest;
        }
        return heaviest;
    }

    /// Selector joined with each required term: any one of them will do.
    static List<Requirements> alternatives(PodPlacement placement, LabelVocabulary vocabulary) {
        var selector = vocabulary.labels(placement.nodeSelector());
        var required = placement.nodeAffinity().required();
        return required.isEmpty()
                ? List.of(selector)
                : required.stream().map(term -> selector.and(term.expressions())).toList();
    }

    /// Heaviest first; equal weights keep their order.
    static <T> List<T> byWeight(List<T> terms, java.util.function.ToIntFunction<T> weight) {
        return terms.stream().sorted(Comparator.comparingInt(weight).reversed()).toList();
    }
}
