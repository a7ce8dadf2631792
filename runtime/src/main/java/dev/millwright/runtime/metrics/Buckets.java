package dev.millwright.runtime.metrics;

import java.util.List;
import java.util.stream.DoubleStream;

/// Upper bounds of histograms, as Karpenter has them: queries over buckets stay true.
public final class Buckets {

    /// For spans that are usually below a second and may last minutes.
    public static final List<Double> DURATION =
            list(
                    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
                    0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10,
                    15, 20, 25, 30, 40, 50, 60, 120, 150, 300, 450, 600);

    /// Those of Prometheus' clients for families that name none.
    public static final List<Double> CLIENT_DEFAULT =
            list(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10);

    /// How long the API server took to answer.
    static final List<Double> REQUEST = exponential(0.001, 1.5, 20);

    /// The quantiles of summaries.
    static final List<Double> QUANTILES = list(0, 0.5, 0.9, 0.99, 1);

    /// How far off a quantile may be.
    static final double QUANTILE_ERROR = 0.01;

    private Buckets() {}

    /// `count` bounds, each `factor` times the one before.
    public static List<Double> exponential(double first, double factor, int count) {
        return DoubleStream.iterate(first, bound -> bound * factor).limit(count).boxed().toList();
    }

    private static List<Double> list(double... bounds) {
        return DoubleStream.of(bounds).boxed().toList();
    }
}
