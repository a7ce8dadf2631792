package dev.millwright.controllers.metrics;

import static dev.millwright.testing.kit.cluster.Manifest.claim;
import static dev.millwright.testing.kit.cluster.Manifest.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.sync.SyncMetrics;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Whether the cluster is known is told, and a long wait cries for help.
final class SyncMetricsTest {

    private final Rig rig = new Rig();
    private final SyncMetrics metrics = new SyncMetrics();

    private void pass(int seconds) {
        rig.advance(Duration.ofSeconds(seconds));
        rig.run(metrics);
    }

    @Test
    void machinesAreCounted() {
        rig.apply(node("theirs"), claim("one").providerId("fake://1"));

        pass(0);

        assertThat(rig.gauge(Families.CLUSTER_STATE_NODES)).isEqualTo(2);
        assertThat(rig.gauge(Families.CLUSTER_STATE_SYNCED)).isEqualTo(1);
        assertThat(rig.gauge(Families.CLUSTER_STATE_UNSYNCED_TIME)).isZero();
    }

    @Test
    void theTimeWithoutAnAnswerGrowsUntilThereIsOne() {
        rig.apply(claim("one"));
        pass(0);
        pass(20);
        assertThat(rig.gauge(Families.CLUSTER_STATE_SYNCED)).isZero();
        assertThat(rig.gauge(Families.CLUSTER_STATE_UNSYNCED_TIME)).isEqualTo(20);

        rig.apply(claim("one").providerId("fake://1"));
        pass(5);

        assertThat(rig.gauge(Families.CLUSTER_STATE_SYNCED)).isEqualTo(1);
        assertThat(rig.gauge(Families.CLUSTER_STATE_UNSYNCED_TIME)).isZero();
    }

    @Test
    void afterHalfAMinuteItIsSaidEveryTenSeconds() {
        rig.apply(claim("one"));
        pass(0);
        pass(30);
        assertThat(rig.lines()).isEmpty();

        pass(5);
        pass(5);
        assertThat(rig.lines()).hasSize(1);
        assertThat(rig.lines().getFirst().level()).isEqualTo(LogLevel.ERROR);
        assertThat(rig.lines().getFirst().keyValues()).contains("one", 35L);

        pass(5);
        assertThat(rig.lines()).hasSize(2);
    }
}
