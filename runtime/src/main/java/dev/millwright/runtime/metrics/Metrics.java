package dev.millwright.runtime.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Summary;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DistributionDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The registry: counts, observes and exposes. It belongs to whoever made it; nothing is static, so
/// that two worlds in one process do not count each other's nodes.
///
/// Naming a family that was not registered, or a wrong number of labels, is a mistake of ours and
/// throws.
public final class Metrics implements Meter {

    private static final MetricFamily HEAP_LIVE =
            MetricFamily.gauge(
                    "go_gc_heap_live_bytes",
                    "Heap in use after the last collection; of Java, under the name that tools for Go read.");
    private static final MetricFamily RESIDENT =
            MetricFamily.gauge("process_resident_memory_bytes", "Memory that is not paged out.");
    private static final MetricFamily CPU =
            MetricFamily.counter("process_cpu_seconds_total", "Processor time used.");

    private static final String OPEN_METRICS = "application/openmetrics-text";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Map<String, Registered> registered = new HashMap<>();

    /// A gauge belongs to whoever set it last; the lock makes a replacement one change to readers.
    private final ReadWriteLock storeLock = new ReentrantReadWriteLock();

    private final Map<String, SequencedSet<Series>> seriesByOwner = new HashMap<>();

    private record Series(MetricFamily family, List<String> labels) {}

    /// A family and where its numbers are. The library shows a family without labels as zero before
    /// anybody spoke of it; Karpenter does not, so that it joins the registry when first touched.
    private record Registered(
            MetricFamily family, Instrument instrument, AtomicBoolean isExposed) {}

    private sealed interface Instrument {
        record Counting(Counter counter) implements Instrument {}

        record Gauging(Gauge gauge) implements Instrument {}

        record Bucketing(Histogram histogram) implements Instrument {}

        record Summing(Summary summary) implements Instrument {}

        default Collector collector() {
            return switch (this) {
                case Counting(var counter) -> counter;
                case Gauging(var gauge) -> gauge;
                case Bucketing(var histogram) -> histogram;
                case Summing(var summary) -> summary;
            };
        }
    }

    /// How many observations there were, and their sum.
    public record Distribution(long count, double sum) {}

    /// The text of all metrics, and what kind of text it is.
    public record Exposition(String contentType, byte[] body) {}

    public Metrics(Collection<MetricFamily> families) {
        families.forEach(this::register);
    }

    /// These families and the figures of the process.
    public static Metrics of(ProcessFigures process, Collection<MetricFamily> families) {
        var metrics = new Metrics(families);
        metrics.register(process);
        return metrics;
    }

    private void register(MetricFamily family) {
        var added = new Registered(family, instrument(family), new AtomicBoolean());
        if (registered.put(family.name(), added) != null) {
            throw new IllegalArgumentException("%s is registered twice".formatted(family.name()));
        }
        if (!family.labels().isEmpty()) {
            expose(added);
        }
    }

    private void expose(Registered family) {
        if (family.isExposed().compareAndSet(false, true)) {
            registry.register(family.instrument().collector());
        }
    }

    private static Instrument instrument(MetricFamily family) {
        return switch (family.type()) {
            case COUNTER ->
                    new Instrument.Counting(
                            Counter.builder()
                                    .name(family.name())
                                    .help(family.help())
                                    .labelNames(array(family.labels()))
                                    .withoutExemplars()
                                    .build());
            case GAUGE ->
                    new Instrument.Gauging(
                            Gauge.builder()
                                    .name(family.name())
                                    .help(family.help())
                                    .labelNames(array(family.labels()))
                                    .withoutExemplars()
                                    .build());
            case HISTOGRAM ->
                    new Instrument.Bucketing(
                            Histogram.builder()
                                    .name(family.name())
                                    .help(family.help())
                                    .labelNames(array(family.labels()))
                                    .classicOnly()
                                    .classicUpperBounds(
                                            family.bounds().stream()
                                                    .mapToDouble(bound -> bound)
                                                    .toArray())
                                    .withoutExemplars()
                                    .build());
            case SUMMARY -> {
                var builder =
                        Summary.builder()
                                .name(family.name())
                                .help(family.help())
                                .labelNames(array(family.labels()))
                                .withoutExemplars();
                family.bounds()
                        .forEach(quantile -> builder.quantile(quantile, Buckets.QUANTILE_ERROR));
                yield new Instrument.Summing(builder.build());
            }
        };
    }

    private void register(ProcessFigures process) {
        GaugeWithCallback.builder()
                .name(HEAP_LIVE.name())
                .help(HEAP_LIVE.help())
                .callback(callback -> callback.call(process.heapLiveBytes()))
                .register(registry);
        GaugeWithCallback.builder()
                .name(RESIDENT.name())
                .help(RESIDENT.help())
                .callback(
                        callback -> {
                            var bytes = process.residentBytes();
                            if (bytes != null) {
                                callback.call(bytes);
                            }
                        })
                .register(registry);
        CounterWithCallback.builder()
                .name(CPU.name())
                .help(CPU.help())
                .callback(callback -> callback.call(process.cpuSeconds()))
                .register(registry);
    }

    @Override
    public void count(MetricFamily family, double amount, List<String> labels) {
        if (!(touched(family, labels) instanceof Instrument.Counting(var counter))) {
            throw misuse(family, "counted");
        }
        counter.labelValues(array(labels)).inc(amount);
    }

    @Override
    public void observe(MetricFamily family, double value, List<String> labels) {
        switch (touched(family, labels)) {
            case Instrument.Bucketing(var histogram) ->
                    histogram.labelValues(array(labels)).observe(value);
            case Instrument.Summing(var summary) ->
                    summary.labelValues(array(labels)).observe(value);
            case Instrument.Counting _, Instrument.Gauging _ -> throw misuse(family, "observed");
        }
    }

    public void gauge(MetricFamily family, double value, List<String> labels) {
        if (!(touched(family, labels) instanceof Instrument.Gauging(var gauge))) {
            throw misuse(family, "a gauge");
        }
        gauge.labelValues(array(labels)).set(value);
    }

    void removeGauge(MetricFamily family, List<String> labels) {
        var found = found(family, labels);
        if (!(found.instrument() instanceof Instrument.Gauging(var gauge))) {
            throw misuse(family, "a gauge");
        }
        gauge.remove(array(labels));
        if (labels.isEmpty() && found.isExposed().compareAndSet(true, false)) {
            registry.unregister(gauge);
        }
    }

    /// Makes these all the gauges that `owner` has. A scrape sees those before or these, never a
    /// mixture.
    @Override
    public void replace(String owner, List<GaugeSample> samples) {
        storeLock.writeLock().lock();
        try {
            replaceLocked(owner, samples);
        } finally {
            storeLock.writeLock().unlock();
        }
    }

    /// Takes away all gauges that `owner` has.
    public void drop(String owner) {
        replace(owner, List.of());
    }

    /// Makes these all the gauges of all owners whose name begins with `group`, by owner.
    public void replaceAll(String group, SequencedMap<String, List<GaugeSample>> samplesByOwner) {
        storeLock.writeLock().lock();
        try {
            samplesByOwner.forEach(this::replaceLocked);
            var gone = new HashSet<>(seriesByOwner.keySet());
            gone.removeIf(owner -> !owner.startsWith(group) || samplesByOwner.containsKey(owner));
            gone.forEach(owner -> replaceLocked(owner, List.of()));
        } finally {
            storeLock.writeLock().unlock();
        }
    }

    private void replaceLocked(String owner, List<GaugeSample> samples) {
        var series = new LinkedHashSet<Series>();
        for (var sample : samples) {
            gauge(sample.family(), sample.value(), sample.labels());
            series.add(new Series(sample.family(), sample.labels()));
        }
        var before =
                series.isEmpty() ? seriesByOwner.remove(owner) : seriesByOwner.put(owner, series);
        if (before != null) {
            before.removeAll(series);
            before.forEach(old -> removeGauge(old.family(), old.labels()));
        }
    }

    /// The text for a reader that accepts this, by its HTTP header.
    public Exposition expose(@Nullable String accepted) {
        ExpositionFormatWriter writer =
                accepted != null && accepted.contains(OPEN_METRICS)
                        ? OpenMetricsTextFormatWriter.create()
                        : PrometheusTextFormatWriter.create();
        var body = new ByteArrayOutputStream();
        storeLock.readLock().lock();
        try {
            writer.write(body, registry.scrape());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            storeLock.readLock().unlock();
        }
        return new Exposition(writer.getContentType(), body.toByteArray());
    }

    /// What a counter or gauge stands at, or null when it was never touched.
    public @Nullable Double value(MetricFamily family, List<String> labels) {
        return switch (point(family, labels)) {
            case null -> null;
            case CounterDataPointSnapshot counter -> counter.getValue();
            case GaugeDataPointSnapshot gauge -> gauge.getValue();
            default -> throw misuse(family, "one value");
        };
    }

    /// What a histogram or summary has seen.
    public Distribution distribution(MetricFamily family, List<String> labels) {
        return switch (point(family, labels)) {
            case null -> new Distribution(0, 0);
            case DistributionDataPointSnapshot seen ->
                    new Distribution(seen.getCount(), seen.getSum());
            default -> throw misuse(family, "many values");
        };
    }

    private @Nullable DataPointSnapshot point(MetricFamily family, List<String> labels) {
        var found = found(family, labels);
        return found.isExposed().get()
                ? point(found.instrument().collector().collect().getDataPoints(), family, labels)
                : null;
    }

    private static @Nullable DataPointSnapshot point(
            List<? extends DataPointSnapshot> points, MetricFamily family, List<String> values) {
        for (var point : points) {
            var isSame = true;
            for (var index = 0; index < values.size(); index++) {
                var found = point.getLabels().get(family.labels().get(index));
                isSame &= values.get(index).equals(found);
            }
            if (isSame) {
                return point;
            }
        }
        return null;
    }

    private Instrument touched(MetricFamily family, List<String> labels) {
        var found = found(family, labels);
        if (labels.isEmpty()) {
            expose(found);
        }
        return found.instrument();
    }

    private Registered found(MetricFamily family, List<String> labels) {
        var found = registered.get(family.name());
        if (found == null || !found.family().equals(family)) {
            throw new IllegalArgumentException(
                    "%s was not registered; give it to the constructor".formatted(family.name()));
        }
        if (labels.size() != family.labels().size()) {
            throw new IllegalArgumentException(
                    "%s has labels %s; found values %s"
                            .formatted(family.name(), family.labels(), labels));
        }
        return found;
    }

    private static IllegalArgumentException misuse(MetricFamily family, String use) {
        return new IllegalArgumentException(
                "%s is a %s and not %s".formatted(family.name(), family.type(), use));
    }

    private static String[] array(List<String> labels) {
        return labels.toArray(String[]::new);
    }
}
