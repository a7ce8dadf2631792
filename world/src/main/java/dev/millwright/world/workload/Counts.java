package dev.millwright.world.workload;

import dev.millwright.world.cluster.PodFacts;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/// How many pods are there, ready, and ready for long enough; `nextAt` is when one more will have
/// been.
record Counts(int all, int ready, int available, @Nullable Instant nextAt) {

    static Counts of(Collection<PodFacts> pods, Duration minReady, Instant now) {
        var ready = 0;
        var available = 0;
        Instant nextAt = null;
        for (var pod : pods) {
            var since = pod.readySince();
            if (since == null) {
                continue;
            }
            ready++;
            var at = since.plus(minReady);
            if (!at.isAfter(now)) {
                available++;
            } else if (nextAt == null || at.isBefore(nextAt)) {
                nextAt = at;
            }
        }
        return new Counts(pods.size(), ready, available, nextAt);
    }

    static boolean isAvailable(PodFacts pod, Duration minReady, Instant now) {
        return pod.readySince() != null && !pod.readySince().plus(minReady).isAfter(now);
    }
}
