package dev.millwright.core.forecast;

import java.time.Duration;

/// How long things take, as far as a forecast must assume it.
///
/// @param batch from the first pod that waits until a plan is made for it
/// @param launch from a claim until its node takes pods
/// @param podStart from binding until the pod is ready
/// @param drainMin the least from a node's deletion until its machine is ended
/// @param termination from the machine's end until the cloud has forgotten it
/// @param nomination how long a node is kept that a plan gave pods to
public record Pace(
        Duration batch,
        Duration launch,
        Duration podStart,
        Duration drainMin,
        Duration termination,
        Duration nomination) {

    /// What a small image on EC2 takes.
    public static final Pace USUAL =
            new Pace(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(45),
                    Duration.ofSeconds(8),
                    Duration.ofSeconds(6),
                    Duration.ofSeconds(40),
                    Duration.ofSeconds(20));
}
