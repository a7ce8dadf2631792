package dev.millwright.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.runtime.metrics.Metrics.Distribution;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

final class MetricsTest {

    private static final MetricFamily COUNTER = MetricFamily.counter("c_total", "Counts.", "a");
    private static final MetricFamily GAUGE = MetricFamily.gauge("g", "Gauges.");
    private static final MetricFamily HISTOGRAM =
            MetricFamily.histogram("h_seconds", "Buckets.", List.of(1.0, 2.0), "a");
    private static final MetricFamily SUMMARY = MetricFamily.summary("s_seconds", "Sums.");

    private final Metrics metrics = new Metrics(List.of(COUNTER, GAUGE, HISTOGRAM, SUMMARY));

    private static final class Fixed implements ProcessFigures {
        @Override
        public double heapLiveBytes() {
            return 1_000;
        }

        @Override
        public @Nullable Double residentBytes() {
            return null;
        }

        @Override
        public double cpuSeconds() {
            return 1.5;
        }
    }

    private static String text(Metrics metrics, @Nullable String accepted) {
        return new String(metrics.expose(accepted).body(), StandardCharsets.UTF_8);
    }

    @Test
    void countsAddUpByLabels() {
        metrics.count(COUNTER, 1, List.of("x"));
        metrics.count(COUNTER, 2, List.of("x"));
        metrics.count(COUNTER, 5, List.of("y"));
        assertThat(metrics.value(COUNTER, List.of("x"))).isEqualTo(3);
        assertThat(metrics.value(COUNTER, List.of("y"))).isEqualTo(5);
        assertThat(metrics.value(COUNTER, List.of("z"))).isNull();
    }

    @Test
    void aGaugeStandsAtWhatWasSetLastAndCanGo() {
        metrics.gauge(GAUGE, 1, List.of());
        metrics.gauge(GAUGE, 2, List.of());
        assertThat(metrics.value(GAUGE, List.of())).isEqualTo(2);
        metrics.removeGauge(GAUGE, List.of());
        assertThat(metrics.value(GAUGE, List.of())).isNull();
        assertThat(text(metrics, null)).isEmpty();
        metrics.gauge(GAUGE, 3, List.of());
        assertThat(text(metrics, null)).contains("g 3.0");
    }

    @Test
    void distributionsHaveCountAndSum() {
        metrics.observe(HISTOGRAM, 0.5, List.of("x"));
        metrics.observe(HISTOGRAM, 3, List.of("x"));
        metrics.observe(SUMMARY, 4, List.of());
        assertThat(metrics.distribution(HISTOGRAM, List.of("x")))
                .isEqualTo(new Distribution(2, 3.5));
        assertThat(metrics.distribution(HISTOGRAM, List.of("y"))).isEqualTo(new Distribution(0, 0));
        assertThat(metrics.distribution(SUMMARY, List.of())).isEqualTo(new Distribution(1, 4));
    }

    @Test
    void theTextHasNamesTypesAndBuckets() {
        metrics.count(COUNTER, 1, List.of("x"));
        metrics.observe(HISTOGRAM, 1.5, List.of("y"));
        assertThat(text(metrics, "text/plain"))
                .contains(
                        "# TYPE c_total counter\nc_total{a=\"x\"} 1.0\n",
                        "h_seconds_bucket{a=\"y\",le=\"1.0\"} 0\n",
                        "h_seconds_bucket{a=\"y\",le=\"+Inf\"} 1\n");
    }

    @Test
    void whatWasNeverTouchedIsNotInTheText() {
        assertThat(text(metrics, null)).isEmpty();
    }

    @Test
    void openMetricsIsSpokenToThoseWhoAcceptIt() {
        var accepted =
                "application/vnd.google.protobuf;q=0.5,application/openmetrics-text;version=1.0.0;q=0.4,text/plain;q=0.3";
        assertThat(metrics.expose(accepted).contentType()).startsWith("application/openmetrics");
        assertThat(text(metrics, accepted)).endsWith("# EOF\n");
        assertThat(metrics.expose("*/*").contentType()).startsWith("text/plain");
    }

    @Test
    void mistakesOfOursAreTold() {
        var stranger = MetricFamily.gauge("stranger", "Nobody registered it.");
        assertThatThrownBy(() -> metrics.gauge(stranger, 1, List.of()))
                .hasMessageContaining("stranger was not registered");
        assertThatThrownBy(() -> metrics.count(COUNTER, 1, List.of()))
                .hasMessageContaining("c_total has labels [a]; found values []");
        assertThatThrownBy(() -> metrics.observe(COUNTER, 1, List.of("x")))
                .hasMessageContaining("c_total is a COUNTER");
        assertThatThrownBy(() -> new Metrics(List.of(GAUGE, GAUGE))).isInstanceOf(Exception.class);
        assertThatThrownBy(() -> MetricFamily.gauge("g", "Twice.", "a", "a"))
                .hasMessageContaining("each may stand once");
    }

    @Test
    void theFiguresOfTheProcessAreShownWhereTheyAreKnown() {
        assertThat(text(Metrics.of(new Fixed(), List.of()), null))
                .contains("go_gc_heap_live_bytes 1000.0", "process_cpu_seconds_total 1.5")
                .doesNotContain("process_resident_memory_bytes ");
    }

    @Test
    void theFiguresOfThisProcessAreThere() {
        var figures = ProcessFigures.ofProcess();
        assertThat(figures.heapLiveBytes()).isPositive();
        assertThat(figures.cpuSeconds()).isPositive();
    }

    @Test
    void twoRegistriesDoNotKnowEachOther() {
        var other = new Metrics(List.of(GAUGE));
        metrics.gauge(GAUGE, 1, List.of());
        assertThat(other.value(GAUGE, List.of())).isNull();
    }
}
