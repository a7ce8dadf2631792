package dev.millwright.controllers.metrics;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// Amounts of resources as metrics show them.
public final class Amounts {

    private Amounts() {}

    /// The value of a label `resource_type`: `ephemeral-storage` is `ephemeral_storage`.
    public static String name(String resource) {
        return resource.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /// Cores of processors; whole units of all else, a part of one counts whole.
    public static double value(String resource, Quantity amount) {
        return resource.equals(Resources.CPU) ? amount.toDouble() : Math.ceil(amount.toDouble());
    }

    /// A gauge for each resource; `labels` puts the resource's name among the family's labels.
    public static List<GaugeSample> gauges(
            MetricFamily family, Resources resources, Function<String, List<String>> labels) {
        var samples = new ArrayList<GaugeSample>();
        resources
                .amounts()
                .forEach(
                        (resource, amount) ->
                                samples.add(
                                        new GaugeSample(
                                                family,
                                                value(resource, amount),
                                                labels.apply(name(resource)))));
        return samples;
    }
}
