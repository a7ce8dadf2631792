package dev.millwright.controllers.metrics;

import dev.millwright.runtime.metrics.Buckets;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.List;

/// Families that Karpenter does not have. They begin with a word of their own, so that none of them
/// ever meets one of Karpenter's.
///
/// None has a label whose values grow with nodes or pods: pools, capacity types and words of ours
/// are all there is.
public final class OwnFamilies {

    /// Filled by the declarations below, so that none can be forgotten in [#all].
    private static final List<MetricFamily> DECLARED = new ArrayList<>();

    public static final MetricFamily POOL_PRICE =
            gauge(
                    "nodepools_price_dollars_per_hour",
                    "Price of a pool's nodes, by how they were bought, as far as prices are known.",
                    "nodepool",
                    "capacity_type");

    public static final MetricFamily FLEET_PRICE =
            gauge(
                    "fleet_price_dollars_per_hour",
                    "Price of the nodes whose pods the lower bound is about, without fees of nodes.");

    public static final MetricFamily FLEET_LOWER_BOUND =
            gauge(
                    "fleet_lower_bound_dollars_per_hour",
                    "The least that nodes bought anew could cost for the pods that run, fees of nodes included.");

    public static final MetricFamily FLEET_GAP =
            gauge(
                    "fleet_gap_ratio",
                    "Part of the price and the fees of nodes above the lower bound; 0 is the best there can be.");

    public static final MetricFamily FLEET_BOUND_DURATION =
            histogram(
                    "fleet_lower_bound_duration_seconds",
                    "Time it took to find the lower bound.",
                    Buckets.DURATION);

    public static final MetricFamily CONSOLIDATION_SAVED =
            counter(
                    "consolidation_saved_dollars_per_hour_total",
                    "What an hour costs less for consolidations that were carried out.",
                    "reason",
                    "consolidation_type");

    public static final MetricFamily SHADOW_DECISIONS =
            counter(
                    "shadow_decisions_total",
                    "Decisions of another controller beside ours, by whether they agree.",
                    "kind",
                    "verdict");

    public static final MetricFamily SHADOW_LAUNCHED =
            counter(
                    "shadow_launched_dollars_per_hour_total",
                    "Price of machines that were launched by them, or would have been by us.",
                    "side");

    public static final MetricFamily SHADOW_REMOVED =
            counter(
                    "shadow_removed_dollars_per_hour_total",
                    "Price of machines that were taken away by them, or would have been by us.",
                    "side");

    public static final MetricFamily SHADOW_EVICTIONS =
            counter(
                    "shadow_evictions_total",
                    "Pods that were made to move by them, or would have been by us.",
                    "side");

    public static final MetricFamily RECORD_MISSED =
            counter(
                    "record_missed_decisions_total",
                    "Decisions that were not recorded: recording could not keep up, or failed.");

    private static final List<MetricFamily> ALL = List.copyOf(DECLARED);

    private OwnFamilies() {}

    public static List<MetricFamily> all() {
        return ALL;
    }

    private static MetricFamily counter(String name, String help, String... labels) {
        return declared(MetricFamily.counter("millwright_" + name, help, labels));
    }

    private static MetricFamily gauge(String name, String help, String... labels) {
        return declared(MetricFamily.gauge("millwright_" + name, help, labels));
    }

    private static MetricFamily histogram(
            String name, String help, List<Double> bounds, String... labels) {
        return declared(MetricFamily.histogram("millwright_" + name, help, bounds, labels));
    }

    private static MetricFamily declared(MetricFamily family) {
        DECLARED.add(family);
        return family;
    }
}
