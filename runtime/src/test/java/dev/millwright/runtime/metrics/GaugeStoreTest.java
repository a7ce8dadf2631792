package dev.millwright.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class GaugeStoreTest {

    private static final String OWNER = "store/default/test";
    private static final MetricFamily FIRST = MetricFamily.gauge("test_gauge_1", "One.", "a", "b");
    private static final MetricFamily SECOND = MetricFamily.gauge("test_gauge_2", "Two.", "a", "b");

    private final Metrics metrics = new Metrics(List.of(FIRST, SECOND));

    private static List<GaugeSample> samples(double first, double second, String label) {
        return List.of(
                new GaugeSample(FIRST, first, List.of(label, label)),
                new GaugeSample(SECOND, second, List.of(label, label)));
    }

    private @Nullable Double first(String label) {
        return metrics.value(FIRST, List.of(label, label));
    }

    private @Nullable Double second(String label) {
        return metrics.value(SECOND, List.of(label, label));
    }

    @Test
    @Tag("M36")
    void anUpdateMakesGauges() {
        metrics.replace(OWNER, samples(3.65, 5.3, "test"));
        assertThat(first("test")).isEqualTo(3.65);
        assertThat(second("test")).isEqualTo(5.3);
    }

    @Test
    @Tag("M37")
    void anUpdateTakesAwayGaugesItDoesNotName() {
        metrics.replace(OWNER, samples(3.65, 5.3, "test"));
        metrics.replace(OWNER, samples(4.65, 6.3, "other"));
        assertThat(first("test")).isNull();
        assertThat(second("test")).isNull();
        assertThat(first("other")).isEqualTo(4.65);
        assertThat(second("other")).isEqualTo(6.3);
    }

    @Test
    @Tag("M38")
    void gaugesWithTheSameLabelsAreTheSame() {
        metrics.replace(OWNER, samples(3.65, 5.3, "test"));
        metrics.replace(OWNER, samples(4.5, 6.9, "test").reversed());
        assertThat(first("test")).isEqualTo(4.5);
        assertThat(second("test")).isEqualTo(6.9);
    }

    @Test
    @Tag("M39")
    void allGaugesOfAnOwnerGoWithIt() {
        metrics.replace(OWNER, samples(3.65, 5.3, "test"));
        metrics.replace("store/other", samples(1, 2, "other"));
        metrics.drop(OWNER);
        assertThat(first("test")).isNull();
        assertThat(second("test")).isNull();
        assertThat(first("other")).isEqualTo(1);
    }

    @Test
    @Tag("M40")
    void anOwnerWithoutGaugesCanGo() {
        metrics.drop(OWNER);
        assertThat(first("test")).isNull();
    }

    @Test
    @Tag("M41")
    void allOwnersAreReplacedAtOnce() {
        metrics.replace("store/a", samples(1, 2, "a"));
        metrics.replace("store/b", samples(3, 4, "b"));
        metrics.replace("elsewhere", samples(5, 6, "c"));
        metrics.replaceAll(
                "store/",
                new TreeMap<>(
                        Map.of(
                                "store/b", samples(7, 8, "b2"),
                                "store/d", samples(9, 10, "d"))));
        assertThat(first("a")).isNull();
        assertThat(first("b")).isNull();
        assertThat(first("b2")).isEqualTo(7);
        assertThat(second("d")).isEqualTo(10);
        assertThat(first("c")).as("of another group").isEqualTo(5);
    }

    @Test
    @Tag("M42")
    void allOwnersAreReplacedByNone() {
        metrics.replace("store/a", samples(1, 2, "a"));
        metrics.replace("store/b", samples(3, 4, "b"));
        metrics.replaceAll("store/", new TreeMap<>());
        assertThat(first("a")).isNull();
        assertThat(second("b")).isNull();
    }
}
