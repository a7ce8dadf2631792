package dev.millwright.core.cluster;

import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A Node object. `volumeLimits` are the attachment limits its CSINode declares, by driver; a
/// driver without one is unlimited.
public record Node(
        String name,
        String providerId,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        List<Taint> taints,
        Resources capacity,
        Resources allocatable,
        SequencedMap<String, Integer> volumeLimits,
        boolean isTerminating) {

    public Node {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
        taints = List.copyOf(taints);
        volumeLimits = Collections.unmodifiableSequencedMap(new TreeMap<>(volumeLimits));
    }

    public Node withAnnotations(SequencedMap<String, String> others) {
        return new Node(
                name,
                providerId,
                labels,
                others,
                taints,
                capacity,
                allocatable,
                volumeLimits,
                isTerminating);
    }
}
