package dev.millwright.providers.aws.launch;

import dev.millwright.runtime.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.List;

/// What the launch is measured by.
public final class LaunchFamilies {

    static final MetricFamily LAUNCH_FAILURES =
            MetricFamily.counter(
                    "karpenter_cloudprovider_instance_launch_failures_total",
                    "What EC2 refused of the fleets it was asked for, once an override.",
                    "zone",
                    "zone_id",
                    "capacity_type",
                    "reason");

    public static final MetricFamily TERMINATION_FAILURES =
            MetricFamily.counter(
                    "karpenter_cloudprovider_instance_termination_failures_total",
                    "Instances that could not be told to terminate.",
                    "zone",
                    "zone_id");

    public static final MetricFamily BATCH_TIME =
            MetricFamily.histogram(
                    "karpenter_cloudprovider_batcher_batch_time_seconds",
                    "How long questions to EC2 were gathered before they were asked as one.",
                    List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
                    "batcher");

    public static final MetricFamily BATCH_SIZE =
            MetricFamily.histogram(
                    "karpenter_cloudprovider_batcher_batch_size",
                    "How many questions to EC2 were asked as one.",
                    sizes(),
                    "batcher");

    public static final MetricFamily USER_DATA_BYTES =
            MetricFamily.gauge(
                    "karpenter_ec2nodeclasses_userdata_bytes",
                    "Size of the user data of the class's last launch template; EC2 takes 16384.",
                    "nodeclass");

    private LaunchFamilies() {}

    public static List<MetricFamily> all() {
        return List.of(
                LAUNCH_FAILURES, TERMINATION_FAILURES, BATCH_TIME, BATCH_SIZE, USER_DATA_BYTES);
    }

    private static List<Double> sizes() {
        var sizes = new ArrayList<>(List.of(1.0, 2.0, 4.0, 5.0, 10.0, 15.0, 20.0, 25.0));
        addSteps(sizes, 30, 100, 10);
        addSteps(sizes, 125, 300, 25);
        addSteps(sizes, 350, 600, 50);
        addSteps(sizes, 700, 1000, 100);
        return sizes;
    }

    private static void addSteps(List<Double> sizes, int from, int to, int step) {
        for (var size = from; size <= to; size += step) {
            sizes.add((double) size);
        }
    }
}
