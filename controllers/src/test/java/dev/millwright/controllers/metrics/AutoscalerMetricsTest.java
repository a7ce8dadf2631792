package dev.millwright.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.runtime.metrics.BuildInfo;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.metrics.ProcessFigures;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

final class AutoscalerMetricsTest {

    @Test
    void theAutoscalerTellsOfItsBuildAndOfTimeoutsThatNeverWere() {
        var build = new BuildInfo("1.2.3", "abc", "java25", "amd64");
        var own = MetricFamily.gauge("g", "Gauges.");
        var metrics = AutoscalerMetrics.of(build, ProcessFigures.ofProcess(), List.of(own));
        metrics.gauge(own, 1, List.of());
        assertThat(new String(metrics.expose(null).body(), StandardCharsets.UTF_8))
                .contains(
                        "karpenter_build_info{commit=\"abc\",goarch=\"amd64\",goversion=\"java25\",version=\"1.2.3\"} 1.0",
                        "go_gc_heap_live_bytes ",
                        "karpenter_voluntary_disruption_consolidation_timeouts_total{consolidation_type=\"multi\"} 0.0",
                        "karpenter_voluntary_disruption_consolidation_timeouts_total{consolidation_type=\"single\"} 0.0",
                        "g 1.0");
    }
}
