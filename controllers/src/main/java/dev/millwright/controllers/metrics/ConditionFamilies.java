package dev.millwright.controllers.metrics;

import dev.millwright.runtime.metrics.Buckets;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The families about the conditions and the end of one kind of object, with the labels that this
/// kind has besides.
public record ConditionFamilies(
        MetricFamily transition,
        MetricFamily count,
        MetricFamily currentStatus,
        MetricFamily transitions,
        MetricFamily terminationCurrentTime,
        MetricFamily terminationDuration) {

    /// Of all kinds together, told apart by labels. Superseded, and still emitted.
    public static final ConditionFamilies DEPRECATED =
            named("operator", Buckets.CLIENT_DEFAULT, List.of("group", "kind"));

    /// `kind` as the API spells it; `extras` are keys of labels that the object's metrics show.
    public static ConditionFamilies of(String kind, List<String> extras) {
        return named(
                "operator_" + kind.toLowerCase(Locale.ROOT),
                FleetBuckets.CONDITION,
                extras.stream().map(LabelNames::ofWholeKey).toList());
    }

    private static ConditionFamilies named(
            String prefix, List<Double> bounds, List<String> extras) {
        var object = List.of("namespace", "name", "type", "status", "reason");
        return new ConditionFamilies(
                histogram(
                        prefix + "_status_condition_transition_seconds",
                        "Time a condition had a status before it changed to another.",
                        bounds,
                        with(List.of("type", "status"), extras)),
                gauge(
                        prefix + "_status_condition_count",
                        "1 for the status a condition of an object has.",
                        with(object, extras)),
                gauge(
                        prefix + "_status_condition_current_status_seconds",
                        "Time a condition of an object has had its status.",
                        with(object, extras)),
                new MetricFamily(
                        prefix + "_status_condition_transitions_total",
                        MetricFamily.Type.COUNTER,
                        with(List.of("type", "status", "reason"), extras),
                        "Changes of conditions to a status; the first sight of one counts.",
                        List.of()),
                gauge(
                        prefix + "_termination_current_time_seconds",
                        "Time since an object that is still there was deleted.",
                        with(List.of("namespace", "name"), extras)),
                histogram(
                        prefix + "_termination_duration_seconds",
                        "From the deletion of an object until it was gone.",
                        bounds,
                        extras));
    }

    private static MetricFamily gauge(String name, String help, List<String> labels) {
        return new MetricFamily(name, MetricFamily.Type.GAUGE, labels, help, List.of());
    }

    private static MetricFamily histogram(
            String name, String help, List<Double> bounds, List<String> labels) {
        return new MetricFamily(name, MetricFamily.Type.HISTOGRAM, labels, help, bounds);
    }

    private static List<String> with(List<String> labels, List<String> extras) {
        return Stream.concat(labels.stream(), extras.stream()).toList();
    }

    public List<MetricFamily> all() {
        return List.of(
                transition,
                count,
                currentStatus,
                transitions,
                terminationCurrentTime,
                terminationDuration);
    }
}
