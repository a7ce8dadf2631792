package dev.millwright.runtime.metrics;

import java.util.Collection;
import java.util.List;

/// The metrics of loops by the names that Cluster API's providers have for them.
public final class LoopFamilies {

    public static final MetricFamily BUILD_INFO =
            MetricFamily.gauge(
                    "millwright_build_info",
                    "Always 1; the labels say which build runs.",
                    "version",
                    "runtime",
                    "architecture",
                    "commit");

    public static final MetricFamily RECONCILES =
            MetricFamily.counter(
                    "controller_runtime_reconcile_total",
                    "Looks at an object, by controller and by how they ended: success, error, requeue, requeue_after.",
                    "controller",
                    "result");

    public static final MetricFamily RECONCILE_ERRORS =
            MetricFamily.counter(
                    "controller_runtime_reconcile_errors_total",
                    "Looks at an object that failed.",
                    "controller");

    public static final MetricFamily RECONCILE_TIME =
            MetricFamily.histogram(
                    "controller_runtime_reconcile_time_seconds",
                    "Time a look at an object took.",
                    Buckets.DURATION,
                    "controller");

    private LoopFamilies() {}

    public static List<MetricFamily> all() {
        return List.of(BUILD_INFO, RECONCILES, RECONCILE_ERRORS, RECONCILE_TIME);
    }

    /// These families, the figures of the process and its build.
    public static Metrics metrics(String version, Collection<MetricFamily> families) {
        var metrics = Metrics.of(ProcessFigures.ofProcess(), families);
        metrics.gauge(BUILD_INFO, 1, BuildInfo.ofProcess(version, "unknown").labels());
        return metrics;
    }
}
