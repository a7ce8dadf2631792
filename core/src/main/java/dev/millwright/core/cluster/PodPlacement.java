package dev.millwright.core.cluster;

import dev.millwright.core.label.Toleration;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Everything a pod says about where it may and would like to run.
public record PodPlacement(
        SequencedMap<String, String> nodeSelector,
        NodeAffinity nodeAffinity,
        PodAffinity podAffinity,
        PodAffinity podAntiAffinity,
        List<Toleration> tolerations,
        List<SpreadConstraint> spread) {

    public static final PodPlacement ANYWHERE =
            new PodPlacement(
                    new TreeMap<>(),
                    NodeAffinity.NONE,
                    PodAffinity.NONE,
                    PodAffinity.NONE,
                    List.of(),
                    List.of());

    public PodPlacement {
        nodeSelector = Collections.unmodifiableSequencedMap(new TreeMap<>(nodeSelector));
        tolerations = List.copyOf(tolerations);
        spread = List.copyOf(spread);
    }

    public PodPlacement withNodeSelector(SequencedMap<String, String> selector) {
        return new PodPlacement(
                selector, nodeAffinity, podAffinity, podAntiAffinity, tolerations, spread);
    }

    public PodPlacement withNodeAffinity(NodeAffinity affinity) {
        return new PodPlacement(
                nodeSelector, affinity, podAffinity, podAntiAffinity, tolerations, spread);
    }

    public PodPlacement withPodAffinity(PodAffinity affinity) {
        return new PodPlacement(
                nodeSelector, nodeAffinity, affinity, podAntiAffinity, tolerations, spread);
    }

    public PodPlacement withPodAntiAffinity(PodAffinity affinity) {
        return new PodPlacement(
                nodeSelector, nodeAffinity, podAffinity, affinity, tolerations, spread);
    }

    public PodPlacement withTolerations(List<Toleration> others) {
        return new PodPlacement(
                nodeSelector, nodeAffinity, podAffinity, podAntiAffinity, others, spread);
    }

    public PodPlacement withSpread(List<SpreadConstraint> constraints) {
        return new PodPlacement(
                nodeSelector, nodeAffinity, podAffinity, podAntiAffinity, tolerations, constraints);
    }
}
