package dev.millwright.controllers.metrics;

import dev.millwright.runtime.metrics.BuildInfo;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.metrics.ProcessFigures;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/// The metrics of an autoscaler that acts.
public final class AutoscalerMetrics {

    private AutoscalerMetrics() {}

    /// All that the autoscaler exposes: the families that every provider shares, those given, the
    /// build and the process.
    public static Metrics of(
            BuildInfo build, ProcessFigures process, Collection<MetricFamily> more) {
        var families = new LinkedHashSet<>(Families.all());
        families.addAll(OwnFamilies.all());
        families.addAll(more);
        var metrics = Metrics.of(process, families);
        metrics.gauge(Families.BUILD_INFO, 1, build.labels());
        // There from the beginning, so that an alert on their increase sees the first one.
        metrics.count(Families.DISRUPTION_CONSOLIDATION_TIMEOUTS, 0, List.of("multi"));
        metrics.count(Families.DISRUPTION_CONSOLIDATION_TIMEOUTS, 0, List.of("single"));
        return metrics;
    }
}
