package dev.millwright.providers.aws.sdk;

import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;

import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;

/// Counts and times every call, under the names that Karpenter's dashboards know.
public final class CallMetrics implements CallListener {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<Double> SECONDS =
            DoubleStream.iterate(0.01, each -> each * 1.5).limit(20).boxed().toList();
    private static final List<Double> RETRIES =
            DoubleStream.iterate(0, each -> each + 1).limit(11).boxed().toList();
    private static final String[] LABELS = {"service", "action", "code"};

    public static final MetricFamily CALLS =
            MetricFamily.counter(
                    "aws_sdk_go_request_total",
                    "Calls of AWS; code is the last answer's status, 0 without one.",
                    LABELS);

    public static final MetricFamily CALL_SECONDS =
            MetricFamily.histogram(
                    "aws_sdk_go_request_duration_seconds",
                    "How long a call of AWS took, with all its attempts and the waits between them.",
                    SECONDS,
                    LABELS);

    public static final MetricFamily RETRY_COUNT =
            MetricFamily.histogram(
                    "aws_sdk_go_request_retry_count",
                    "How often a call of AWS was sent again.",
                    RETRIES,
                    LABELS);

    public static final MetricFamily ATTEMPTS =
            MetricFamily.counter(
                    "aws_sdk_go_request_attempt_total",
                    "Attempts of calls of AWS, by the status of each.",
                    LABELS);

    public static final MetricFamily ATTEMPT_SECONDS =
            MetricFamily.histogram(
                    "aws_sdk_go_request_attempt_duration_seconds",
                    "How long one attempt took.",
                    SECONDS,
                    LABELS);

    private final Meter meter;

    public CallMetrics(Meter meter) {
        this.meter = meter;
    }

    public static List<MetricFamily> families() {
        return List.of(CALLS, CALL_SECONDS, RETRY_COUNT, ATTEMPTS, ATTEMPT_SECONDS);
    }

    @Override
    public void over(Call call) {
        var labels = labels(call, call.status());
        meter.count(CALLS, 1, labels);
        meter.observe(CALL_SECONDS, seconds(call.took()), labels);
        meter.observe(RETRY_COUNT, Math.max(0, call.attempts().size() - 1), labels);
        for (var attempt : call.attempts()) {
            var own = labels(call, attempt.status());
            meter.count(ATTEMPTS, 1, own);
            meter.observe(ATTEMPT_SECONDS, seconds(attempt.took()), own);
        }
    }

    private static List<String> labels(Call call, int status) {
        return List.of(call.service(), call.operation(), Integer.toString(status));
    }

    private static double seconds(Duration took) {
        return took.toNanos() / NANOS_PER_SECOND;
    }
}
