package dev.millwright.controllers.metrics;

import java.util.List;

/// Where measurements go.
public interface Meter {

    void count(MetricFamily family, double amount, List<String> labels);

    void observe(MetricFamily family, double value, List<String> labels);

    /// All gauges of one owner: those it had before and are not here go away.
    void replace(String owner, List<GaugeSample> samples);
}
