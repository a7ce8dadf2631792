package dev.millwright.world.scheduler;

import dev.millwright.world.cluster.Span;

import java.time.Duration;

/// How a scheduler works.
///
/// @param name the `schedulerName` of its pods
/// @param cycle the time between two decisions
/// @param binding from a decision until the API server has it
/// @param backoffMin after a first failure; it doubles with each further one
/// @param patience how long a pod that could not be placed waits without a reason to try again
/// @param volumesWithin how long a chosen node waits for the pod's volumes
public record SchedulerSettings(
        String name,
        Duration cycle,
        Span binding,
        Duration backoffMin,
        Duration backoffMax,
        Duration patience,
        Duration volumesWithin) {

    public static SchedulerSettings usual() {
        return new SchedulerSettings(
                "default-scheduler",
                Duration.ofMillis(5),
                Span.millis(5, 50),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10));
    }
}
