package dev.millwright.providers.aws.interruption;

import dev.millwright.runtime.metrics.MetricFamily;

import java.util.List;

/// What interruptions are measured by.
public final class InterruptionFamilies {

    static final MetricFamily RECEIVED =
            MetricFamily.counter(
                    "karpenter_interruption_received_messages_total",
                    "Messages of the interruption queue that could be read.",
                    "message_type");

    static final MetricFamily DELETED =
            MetricFamily.counter(
                    "karpenter_interruption_deleted_messages_total",
                    "Messages of the interruption queue that were dealt with and deleted.");

    static final MetricFamily QUEUED =
            MetricFamily.histogram(
                    "karpenter_interruption_message_queue_duration_seconds",
                    "From what happened until its message was dealt with.",
                    List.of(
                            0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
                            60.0, 120.0, 300.0));

    static final MetricFamily UNHEALTHY =
            MetricFamily.counter(
                    "karpenter_interruption_instance_status_unhealthy_total",
                    "Instances that EC2 began to call unhealthy.",
                    "category");

    private InterruptionFamilies() {}

    public static List<MetricFamily> all() {
        return List.of(RECEIVED, DELETED, QUEUED, UNHEALTHY);
    }
}
