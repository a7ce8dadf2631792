package dev.millwright.controllers.disruption;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// When reboots of claims were begun, by the claims' uids. A restart forgets them: a node may be
/// rebooted once more than it should before it is replaced.
public final class RebootHistory {

    private static final Duration KEPT = Duration.ofHours(24);

    private final Map<String, List<Instant>> begun = new HashMap<>();

    public synchronized void begun(String claimUid, Instant now) {
        begun.values().removeIf(times -> recent(times, now) == 0);
        begun.computeIfAbsent(claimUid, _ -> new ArrayList<>()).add(now);
    }

    /// How many were begun within a day.
    public synchronized int recent(String claimUid, Instant now) {
        return recent(begun.getOrDefault(claimUid, List.of()), now);
    }

    private static int recent(List<Instant> times, Instant now) {
        var since = now.minus(KEPT);
        return (int) times.stream().filter(since::isBefore).count();
    }
}
