package dev.millwright.runtime.metrics;

import java.util.List;

/// The metrics of requests to the API server, by the names that Go's client has for them.
public final class ClientFamilies {

    public static final MetricFamily REQUEST_DURATION =
            MetricFamily.histogram(
                    "client_go_request_duration_seconds",
                    "Time the API server took to answer.",
                    Buckets.REQUEST,
                    "verb",
                    "group",
                    "version",
                    "kind",
                    "subresource");

    public static final MetricFamily REQUESTS =
            MetricFamily.counter(
                    "client_go_request_total",
                    "Requests to the API server, by its answer.",
                    "code",
                    "method");

    private ClientFamilies() {}

    public static List<MetricFamily> all() {
        return List.of(REQUEST_DURATION, REQUESTS);
    }
}
