package dev.millwright.world.scheduler;

import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;

/// Whether a pod asks for something else than before. Trees that nobody changed are the same
/// objects, so that mostly nothing is read again.
final class SpecChange {

    private static final String BINDING = "nodeName";

    private SpecChange() {}

    static boolean isNone(PodFacts before, PodFacts after) {
        return isSame(before.spec(), after.spec()) && before.labels().equals(after.labels());
    }

    /// Binding gives a pod the labels of its node's zone.
    static boolean isOfLabelsAlone(PodFacts before, PodFacts after) {
        return isSame(before.spec(), after.spec()) && after.isBound();
    }

    @SuppressWarnings("ReferenceEquality") // Equal trees that are not the same are read again.
    private static boolean isSame(Value.Mapping before, Value.Mapping after) {
        if (before == after) {
            return true;
        }
        for (var entry : after.fields().entrySet()) {
            if (!entry.getKey().equals(BINDING)
                    && before.fields().get(entry.getKey()) != entry.getValue()) {
                return false;
            }
        }
        var bound = Reading.at(after, BINDING) != null && Reading.at(before, BINDING) == null;
        return before.fields().size() == after.fields().size() - (bound ? 1 : 0);
    }
}
