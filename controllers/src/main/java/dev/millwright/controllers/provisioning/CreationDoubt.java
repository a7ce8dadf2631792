package dev.millwright.controllers.provisioning;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/// Claims that may have been made: the API server was asked and did not answer. A plan without them
/// would have them made twice, and pools exceed their limits; so none is made until they are seen,
/// or were not for longer than a watch is late.
final class CreationDoubt {

    private static final Duration DOUBT_MAX = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Set<String> known = new HashSet<>();
    private Instant until = Instant.MIN;
    private int missing;

    synchronized void begin(View view, Instant now) {
        if (missing == 0) {
            view.claims().forEach(claim -> known.add(name(claim)));
        }
        missing++;
        until = now.plus(DOUBT_MAX);
    }

    /// How long to wait before another look; nothing when there is no doubt.
    synchronized Duration remaining(View view, Instant now) {
        if (missing > 0) {
            var seen = view.claims().stream().filter(claim -> !known.contains(name(claim))).count();
            if (seen >= missing || !now.isBefore(until)) {
                missing = 0;
                known.clear();
            }
        }
        return missing > 0 ? POLL : Duration.ZERO;
    }

    private static String name(ClaimObject claim) {
        return claim.name().name();
    }
}
