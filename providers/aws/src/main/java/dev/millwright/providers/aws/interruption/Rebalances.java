package dev.millwright.providers.aws.interruption;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/// The machines that EC2 recommends to leave, for who wants to act on it.
///
/// A recommendation comes once; a process that restarts has forgotten it, and the interruption
/// itself is still announced in time.
public final class Rebalances {

    /// What to do on a recommendation.
    public enum Policy {
        /// Tell it as an event, and wait for the interruption itself.
        EVENT,

        /// Launch a replacement and move, within the budgets of the pool.
        REPLACE
    }

    private static final Duration REMEMBERED = Duration.ofHours(6);

    private static final int MACHINES_MAX = 20_000;

    private final Policy policy;
    private final ConcurrentHashMap<String, Instant> recommendedAt = new ConcurrentHashMap<>();

    public Rebalances(Policy policy) {
        this.policy = policy;
    }

    void recommended(String providerId, Instant now) {
        if (policy == Policy.EVENT) {
            return;
        }
        recommendedAt.values().removeIf(at -> at.plus(REMEMBERED).isBefore(now));
        if (recommendedAt.size() < MACHINES_MAX) {
            recommendedAt.put(providerId, now);
        }
    }

    /// Whether the machine is to be replaced because of a recommendation.
    public boolean isToLeave(String providerId) {
        return recommendedAt.containsKey(providerId);
    }
}
