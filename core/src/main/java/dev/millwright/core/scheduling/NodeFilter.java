package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.SpreadConstraint.Inclusion;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;

import java.util.List;
import java.util.Set;

/// Which nodes count for a spread constraint. (Anti-)affinity counts on all nodes.
record NodeFilter(
        List<Requirements> alternatives,
        Inclusion taintsPolicy,
        Inclusion affinityPolicy,
        List<Toleration> tolerations) {

    /// Counts every node. New domains are seeded only through taints the first pod tolerates, hence
    /// `HONOR`.
    static final NodeFilter EVERY_NODE =
            new NodeFilter(List.of(), Inclusion.HONOR, Inclusion.HONOR, List.of());

    NodeFilter {
        alternatives = List.copyOf(alternatives);
        tolerations = List.copyOf(tolerations);
    }

    static NodeFilter of(
            SpreadConstraint constraint, PodPlacement placement, LabelVocabulary vocabulary) {
        return new NodeFilter(
                PodRequirements.alternatives(placement, vocabulary),
                constraint.nodeTaintsPolicy(),
                constraint.nodeAffinityPolicy(),
                placement.tolerations());
    }

    boolean isEveryNode() {
        return alternatives.isEmpty();
    }

    /// Labels are compared strictly, for nodes in the making too: a label that is not promised does
    /// not count.
    boolean matches(List<Taint> taints, Requirements labels) {
        if (isEveryNode()) {
            return true;
        }
        var isWanted =
                affinityPolicy == Inclusion.IGNORE
                        || alternatives.stream()
                                .anyMatch(wanted -> labels.isCompatible(wanted, Set.of()));
        return isWanted
                && (taintsPolicy == Inclusion.IGNORE
                        || Taint.firstUntolerated(taints, tolerations) == null);
    }
}
