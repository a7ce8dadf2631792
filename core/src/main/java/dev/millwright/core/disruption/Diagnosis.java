package dev.millwright.core.disruption;

import dev.millwright.core.disruption.NodeHealth.Sign;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.RepairPolicy.Action;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// What is to be done about a sick node, by all policies whose patience is over.
///
/// `policy` and `sign` are where the action comes from; `drainMax` is the shortest that any policy
/// wants. The urgency is the greatest of any policy: all grow alike, so the greatest stays so.
/// `isEscalated`: a reboot was due, and enough of them did not help.
public record Diagnosis(
        Action action,
        RepairPolicy policy,
        Sign sign,
        Instant dueAt,
        @Nullable Duration drainMax,
        int rank,
        Instant rankedSince,
        boolean isEscalated) {

    /// Waiting so long outweighs one rank, so that nobody waits for ever.
    private static final Duration RANK = Duration.ofMinutes(30);

    /// The rank of the policy's priority, and a rank more for every half hour it is due.
    double urgency(Instant now) {
        return urgency(rank, rankedSince, now);
    }

    static double urgency(int rank, Instant since, Instant now) {
        return rank + Duration.between(since, now).toMillis() / (double) RANK.toMillis();
    }

    Diagnosis escalated() {
        return new Diagnosis(
                Action.REPLACE, policy, sign, dueAt, drainMax, rank, rankedSince, true);
    }

    /// How long the node's pods may take to leave: the shorter of what policies and the claim say.
    /// Null leaves it to the claim.
    @Nullable Duration drainMax(@Nullable Duration byClaim) {
        return drainMax != null && byClaim != null && byClaim.compareTo(drainMax) < 0
                ? byClaim
                : drainMax;
    }
}
