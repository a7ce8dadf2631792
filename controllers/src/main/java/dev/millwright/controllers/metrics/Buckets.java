package dev.millwright.controllers.metrics;

import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// Upper bounds of histograms, as Karpenter has them: queries over buckets stay true.
final class Buckets {

    /// For spans that are usually below a second and may last minutes.
    static final List<Double> DURATION =
            list(
                    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
                    0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10,
                    15, 20, 25, 30, 40, 50, 60, 120, 150, 300, 450, 600);

    /// Those of Prometheus' clients for families that name none.
    static final List<Double> CLIENT_DEFAULT =
            list(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10);

    /// From a quarter of an hour to thirty days.
    static final List<Double> LIFETIME =
            Stream.of(
                            "PT15M", "PT30M", "PT45M", "PT1H", "PT2H", "PT4H", "PT6H", "PT8H",
                            "PT10H", "PT12H", "PT16H", "PT20H", "P1D", "P2D", "P3D", "P5D", "P10D",
                            "P15D", "P20D", "P25D", "P30D")
                    .map(text -> (double) Duration.parse(text).toSeconds())
                    .toList();

    /// How long a condition had a status.
    static final List<Double> REBOOT = exponential(10, 2, 8);

    static final List<Double> CONDITION = exponential(0.5, 2, 15);

    /// How long the API server took to answer.
    static final List<Double> REQUEST = exponential(0.001, 1.5, 20);

    /// What a consolidation is worth against what it disturbs.
    static final List<Double> SCORE = list(0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10);

    /// The quantiles of summaries.
    static final List<Double> QUANTILES = list(0, 0.5, 0.9, 0.99, 1);

    /// How far off a quantile may be.
    static final double QUANTILE_ERROR = 0.01;

    private Buckets() {}

    /// `count` bounds, each `factor` times the one before.
    static List<Double> exponential(double first, double factor, int count) {
        return DoubleStream.iterate(first, bound -> bound * factor).limit(count).boxed().toList();
    }

    private static List<Double> list(double... bounds) {
        return DoubleStream.of(bounds).boxed().toList();
    }
}
