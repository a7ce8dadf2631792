package dev.millwright.runtime.metrics;

import java.util.List;

/// Where measurements go.
public interface Meter {

    /// For whoever measures nothing.
    Meter NONE =
            new Meter() {
                @Override
                public void count(MetricFamily family, double amount, List<String> labels) {}

                @Override
                public void observe(MetricFamily family, double value, List<String> labels) {}

                @Override
                public void replace(String owner, List<GaugeSample> samples) {}
            };

    void count(MetricFamily family, double amount, List<String> labels);

    void observe(MetricFamily family, double value, List<String> labels);

    /// All gauges of one owner: those it had before and are not here go away.
    void replace(String owner, List<GaugeSample> samples);
}
