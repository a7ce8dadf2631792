package dev.millwright.providers.aws.sdk;

import dev.millwright.controllers.metrics.Meter;
import dev.millwright.controllers.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.List;

/// What calls to AWS are measured by, under the names that Karpenter's dashboards know.
public final class CallFamilies {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int DURATION_BUCKETS = 20;
    private static final double DURATION_LEAST = 0.01;
    private static final double DURATION_FACTOR = 1.5;

    private static final MetricFamily CALLS =
            MetricFamily.counter(
                    "aws_sdk_go_request_total",
                    "Calls to AWS, however often each was sent.",
                    "service",
                    "action",
                    "code");

    private static final MetricFamily ATTEMPTS =
            MetricFamily.counter(
                    "aws_sdk_go_request_attempt_total",
                    "Requests sent to AWS.",
                    "service",
                    "action",
                    "code");

    private static final MetricFamily DURATION =
            MetricFamily.histogram(
                    "aws_sdk_go_request_duration_seconds",
                    "How long a call to AWS took, with all its attempts.",
                    durations(),
                    "service",
                    "action",
                    "code");

    private static final MetricFamily RETRIES =
            MetricFamily.histogram(
                    "aws_sdk_go_request_retry_count",
                    "How often a call to AWS was sent again.",
                    List.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0),
                    "service",
                    "action",
                    "code");

    private CallFamilies() {}

    public static List<MetricFamily> all() {
        return List.of(CALLS, ATTEMPTS, DURATION, RETRIES);
    }

    public static void measure(CallListener.Call call, Meter meter) {
        var labels = List.of(call.service(), call.operation(), Integer.toString(call.status()));
        meter.count(CALLS, 1, labels);
        meter.count(ATTEMPTS, call.attempts(), labels);
        meter.observe(DURATION, call.took().toNanos() / NANOS_PER_SECOND, labels);
        meter.observe(RETRIES, Math.max(0, call.attempts() - 1), labels);
    }

    private static List<Double> durations() {
        var bounds = new ArrayList<Double>();
        var bound = DURATION_LEAST;
        for (var i = 0; i < DURATION_BUCKETS; i++) {
            bounds.add(bound);
            bound *= DURATION_FACTOR;
        }
        return bounds;
    }
}
