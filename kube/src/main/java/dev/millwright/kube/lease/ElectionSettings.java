package dev.millwright.kube.lease;

import dev.millwright.core.cluster.ObjectName;

import java.time.Duration;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Which Lease, who we are in it, and how long things last.
///
/// @param identity of this process alone, never used by another
/// @param lease how long others must see our record unchanged before they take it
/// @param renewDeadline how long after it sent its last renewal a leader still acts; the rest of
///   the lease is for writes under way and for clocks that run differently
/// @param retry between two renewals or tries
public record ElectionSettings(
        ObjectName name,
        String identity,
        SequencedMap<String, String> labels,
        Duration lease,
        Duration renewDeadline,
        Duration retry) {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(2);

    public ElectionSettings {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        if (lease.compareTo(renewDeadline) <= 0 || renewDeadline.compareTo(retry) <= 0) {
            throw new IllegalArgumentException(
                    "lease %s, renew deadline %s, retry %s; wanted each longer than the next"
                            .formatted(lease, renewDeadline, retry));
        }
    }

    /// With the times every other controller has.
    public static ElectionSettings of(ObjectName name, String hostname, String uniqueId) {
        return new ElectionSettings(
                name,
                hostname + "_" + uniqueId,
                Collections.emptySortedMap(),
                LEASE,
                RENEW_DEADLINE,
                RETRY);
    }
}
