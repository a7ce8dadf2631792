package dev.millwright.runtime.metrics;

import java.util.List;

/// A family of metrics: one name, the names of its labels, and what kind of number it is. `bounds`
/// are the upper bounds of a histogram's buckets or the quantiles of a summary.
public record MetricFamily(
        String name, Type type, List<String> labels, String help, List<Double> bounds) {

    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM,
        SUMMARY
    }

    public MetricFamily {
        labels = List.copyOf(labels);
        bounds = List.copyOf(bounds);
        if (labels.stream().distinct().count() != labels.size()) {
            throw new IllegalArgumentException(
                    "%s has labels %s; each may stand once".formatted(name, labels));
        }
    }

    public static MetricFamily counter(String name, String help, String... labels) {
        return new MetricFamily(name, Type.COUNTER, List.of(labels), help, List.of());
    }

    public static MetricFamily gauge(String name, String help, String... labels) {
        return new MetricFamily(name, Type.GAUGE, List.of(labels), help, List.of());
    }

    public static MetricFamily histogram(
            String name, String help, List<Double> bounds, String... labels) {
        return new MetricFamily(name, Type.HISTOGRAM, List.of(labels), help, bounds);
    }

    /// With the quantiles that all summaries have.
    public static MetricFamily summary(String name, String help, String... labels) {
        return new MetricFamily(name, Type.SUMMARY, List.of(labels), help, Buckets.QUANTILES);
    }
}
