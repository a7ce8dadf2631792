package dev.millwright.capi.manager;

import dev.millwright.runtime.metrics.ClientFamilies;
import dev.millwright.runtime.metrics.LoopFamilies;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.List;
import java.util.stream.Stream;

/// The metrics of the provider. Those of its loops have the names that other providers' have.
final class CaptFamilies {

    /// From a plan without changes to a cluster that takes half an hour.
    private static final List<Double> RUN_SECONDS =
            List.of(
                    1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1_200.0,
                    1_800.0, 2_400.0);

    static final MetricFamily TERRAFORM_RUNS =
            MetricFamily.counter(
                    "capt_terraform_runs_total",
                    "Runs of Terraform that ended, by outcome: unchanged, created, updated, destroyed, failed, held, interrupted.",
                    "outcome");

    static final MetricFamily TERRAFORM_RUN_TIME =
            MetricFamily.histogram(
                    "capt_terraform_run_duration_seconds",
                    "From the order of a run of Terraform to its end, the wait for its turn included.",
                    RUN_SECONDS,
                    "outcome");

    static final MetricFamily TERRAFORM_RUNS_ACTIVE =
            MetricFamily.gauge(
                    "capt_terraform_runs_active",
                    "Runs of Terraform that go on or wait their turn.");

    private static final List<MetricFamily> OWN =
            List.of(
                    TERRAFORM_RUNS,
                    TERRAFORM_RUN_TIME,
                    TERRAFORM_RUNS_ACTIVE,
                    ClientFamilies.REQUEST_DURATION,
                    ClientFamilies.REQUESTS);

    private CaptFamilies() {}

    static List<MetricFamily> all() {
        return Stream.concat(LoopFamilies.all().stream(), OWN.stream()).toList();
    }
}
