package dev.millwright.kube.lease;

import dev.millwright.kube.client.ApiWrite;

/// What a candidate does next.
public sealed interface ElectionDecision {

    /// To become the leader.
    record Acquire(ApiWrite write) implements ElectionDecision {}

    /// To stay the leader.
    record Renew(ApiWrite write) implements ElectionDecision {}

    /// Until this moment of the monotonic clock.
    record Wait(long untilNanos) implements ElectionDecision {}

    /// Stops being the leader, before anybody else can be.
    record StepDown(String reason) implements ElectionDecision {}
}
