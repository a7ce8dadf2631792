package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.label.LabelVocabulary;
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
