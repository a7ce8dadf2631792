package dev.millwright.controllers.metrics;

import dev.millwright.runtime.metrics.Buckets;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Upper bounds of histograms about nodes and what becomes of them, as Karpenter has them.
final class FleetBuckets {

    /// From a quarter of an hour to thirty days.
    static final List<Double> LIFETIME =
            Stream.of(
                            "PT15M", "PT30M", "PT45M", "PT1H", "PT2H", "PT4H", "PT6H", "PT8H",
                            "PT10H", "PT12H", "PT16H", "PT20H", "P1D", "P2D", "P3D", "P5D", "P10D",
                            "P15D", "P20D", "P25D", "P30D")
                    .map(text -> (double) Duration.parse(text).toSeconds())
                    .toList();

    /// How long a reboot took.
    static final List<Double> REBOOT = Buckets.exponential(10, 2, 8);

    /// How long a condition had a status.
    static final List<Double> CONDITION = Buckets.exponential(0.5, 2, 15);

    /// What a consolidation is worth against what it disturbs.
    static final List<Double> SCORE = List.of(0.1, 0.25, 0.33, 0.5, 1.0, 2.0, 5.0, 10.0);

    private FleetBuckets() {}
}
