package dev.millwright.core.cluster;

import dev.millwright.core.quantity.Resources;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A pod as far as scheduling looks at it. `requests` are the effective ones, with the pod's own
/// slot ([Container#podRequests]).
public record Pod(
        ObjectName name,
        String uid,
        Instant createdAt,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        Resources requests,
        PodPlacement placement,
        List<HostPort> hostPorts,
        List<PodVolume> volumes,
        boolean hasResourceClaims,
        PodState state) {

    public Pod {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
        hostPorts = List.copyOf(hostPorts);
        volumes = List.copyOf(volumes);
    }

    public Pod withPlacement(PodPlacement other) {
        return new Pod(
                name,
                uid,
                createdAt,
                labels,
                annotations,
                requests,
                other,
                hostPorts,
                volumes,
                hasResourceClaims,
                state);
    }

    public Pod withState(PodState other) {
        return new Pod(
                name,
                uid,
                createdAt,
                labels,
                annotations,
                requests,
                placement,
                hostPorts,
                volumes,
                hasResourceClaims,
                other);
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
