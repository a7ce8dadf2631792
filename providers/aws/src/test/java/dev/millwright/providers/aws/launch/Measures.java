package dev.millwright.providers.aws.launch;

import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What was measured, from any thread.
final class Measures implements Meter {

    private final Map<String, Double> counts = new TreeMap<>();
    private final Map<String, List<Double>> observations = new TreeMap<>();
    private final Map<String, List<GaugeSample>> gauges = new TreeMap<>();

    @Override
    public synchronized void count(MetricFamily family, double amount, List<String> labels) {
        counts.merge(family.name() + labels, amount, Double::sum);
    }

    @Override
    public synchronized void observe(MetricFamily family, double value, List<String> labels) {
        observations.computeIfAbsent(family.name() + labels, _ -> new ArrayList<>()).add(value);
    }

    @Override
    public synchronized void replace(String owner, List<GaugeSample> samples) {
        gauges.put(owner, List.copyOf(samples));
    }

    /// By name and label values, e.g. `things_total[a, b]`, of families that begin like this.
    synchronized Map<String, Double> counts(String prefix) {
        var found = new TreeMap<>(counts);
        found.keySet().removeIf(series -> !series.startsWith(prefix));
        return found;
    }

    synchronized List<Double> observations(String series) {
        return List.copyOf(observations.getOrDefault(series, List.of()));
    }

    synchronized Map<String, Double> gauges(String prefix) {
        var found = new TreeMap<String, Double>();
        for (var samples : gauges.values()) {
            for (var sample : samples) {
                found.put(sample.family().name() + sample.labels(), sample.value());
            }
        }
        found.keySet().removeIf(series -> !series.startsWith(prefix));
        return found;
    }
}
