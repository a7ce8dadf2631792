package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.label.Toleration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Gives up one wish of a pod at a time, in Karpenter's order.
final class Relaxation {

    private Relaxation() {}

    /// The placement with the next wish given up, or null when only musts are left.
    ///
    /// @param canToleratePreference whether some pool has a taint that merely prefers to be left
    ///   alone
    static @Nullable PodPlacement next(PodPlacement placement, boolean canToleratePreference) {
        var node = placement.nodeAffinity();
        if (node.required().size() > 1) {
            return placement.withNodeAffinity(
                    new NodeAffinity(rest(node.required()), node.preferred()));
        }
        if (!placement.podAffinity().preferred().isEmpty()) {
            return placement.withPodAffinity(withoutHeaviest(placement.podAffinity()));
        }
        if (!placement.podAntiAffinity().preferred().isEmpty()) {
            return placement.withPodAntiAffinity(withoutHeaviest(placement.podAntiAffinity()));
        }
        if (!node.preferred().isEmpty()) {
            var lighter =
                    rest(
                            PodRequirements.byWeight(
                                    node.preferred(), NodeAffinity.Preferred::weight));
            return placement.withNodeAffinity(new NodeAffinity(node.required(), lighter));
        }
        return withoutSoftSpread(placement, canToleratePreference);
    }

    private static @Nullable PodPlacement withoutSoftSpread(
            PodPlacement placement, boolean canToleratePreference) {
        var spread = placement.spread();
        for (var index = 0; index < spread.size(); index++) {
            if (!spread.get(index).isHard()) {
                var kept = new ArrayList<>(spread);
                kept.set(index, kept.getLast());
                kept.removeLast();
                return placement.withSpread(kept);
            }
        }
        if (canToleratePreference && !toleratesPreference(placement)) {
            var tolerations = new ArrayList<>(placement.tolerations());
            tolerations.add(Toleration.PREFER_NO_SCHEDULE);
            return placement.withTolerations(tolerations);
        }
        return null;
    }

    private static boolean toleratesPreference(PodPlacement placement) {
        return placement.tolerations().contains(Toleration.PREFER_NO_SCHEDULE);
    }

    private static PodAffinity withoutHeaviest(PodAffinity affinity) {
        return new PodAffinity(
                affinity.required(),
                rest(PodRequirements.byWeight(affinity.preferred(), PodAffinity.Weighted::weight)));
    }

    private static <T> List<T> rest(List<T> terms) {
        return terms.subList(1, terms.size());
    }
}
