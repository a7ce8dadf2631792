package dev.millwright.core.cluster;

import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A NodeClaim object: a machine we asked for, perhaps before its Node is there.
public record NodeClaim(
        String name,
        String providerId,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        List<Taint> taints,
        List<Taint> startupTaints,
        Resources capacity,
        Resources allocatable,
        boolean isTerminating) {

    public NodeClaim {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
        taints = List.copyOf(taints);
        startupTaints = List.copyOf(startupTaints);
    }
}
