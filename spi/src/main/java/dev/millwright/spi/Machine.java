package dev.millwright.spi;

import dev.millwright.core.quantity.Resources;

import java.time.Instant;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A machine the cloud runs for us. Its labels are concrete: type, zone, region, capacity type,
/// architecture, operating system and the provider's own.
///
/// `providerId` equals the Node's `spec.providerID`; a machine that is going is listed with
/// `isTerminating` until it is gone.
public record Machine(
        String providerId,
        String imageId,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        Resources capacity,
        Resources allocatable,
        Instant launchedAt,
        boolean isTerminating) {

    public Machine {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
    }

    /// The machine on its way out.
    public Machine terminating() {
        return new Machine(
                providerId, imageId, labels, annotations, capacity, allocatable, launchedAt, true);
    }
}
