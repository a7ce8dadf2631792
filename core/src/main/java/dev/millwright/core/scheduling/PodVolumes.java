package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.ObjectName;

import java.util.SequencedMap;
import java.util.SequencedSet;

/// What a pod's volumes mean for its node: requirement sets of which one must hold, and volumes to
/// attach by driver.
record PodVolumes(
        int[] alternatives,
        boolean isContradictory,
        SequencedMap<String, SequencedSet<ObjectName>> attachments) {

    static final PodVolumes NONE = new PodVolumes(new int[0], false, new java.util.TreeMap<>());

    boolean isEmpty() {
        return alternatives.length == 0 && attachments.isEmpty();
    }
}
