package dev.millwright.addons.manager;

import dev.millwright.runtime.metrics.ClientFamilies;
import dev.millwright.runtime.metrics.LoopFamilies;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.List;
import java.util.stream.Stream;

/// The metrics of the add-ons. Those of their loops have the names that other providers' have.
final class AddonsFamilies {

    /// From a look at one revision to an installation that waits for all its pods.
    private static final List<Double> RUN_SECONDS =
            List.of(0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_800.0);

    static final MetricFamily RUNS =
            MetricFamily.counter(
                    "millwright_helm_runs_total",
                    "Runs of Helm that ended, by action (install, upgrade, uninstall, inspect, give-up) and outcome (done, failed, broken).",
                    "action",
                    "outcome");

    static final MetricFamily RUN_TIME =
            MetricFamily.histogram(
                    "millwright_helm_run_duration_seconds",
                    "From the order of a run of Helm until its outcome is taken, the wait for its turn included.",
                    RUN_SECONDS,
                    "action");

    static final MetricFamily RUNS_ACTIVE =
            MetricFamily.gauge(
                    "millwright_helm_runs_active", "Runs of Helm that go on or wait their turn.");

    private static final List<MetricFamily> OWN =
            List.of(
                    RUNS,
                    RUN_TIME,
                    RUNS_ACTIVE,
                    ClientFamilies.REQUEST_DURATION,
                    ClientFamilies.REQUESTS);

    private AddonsFamilies() {}

    static List<MetricFamily> all() {
        return Stream.concat(LoopFamilies.all().stream(), OWN.stream()).toList();
    }
}
