package dev.millwright.controllers.metrics;

import static dev.millwright.testing.kit.cluster.Manifest.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.nodepool.PoolMetrics;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What is told of pools.
final class PoolMetricsTest {

    private final Rig rig = new Rig();
    private final PoolMetrics metrics = new PoolMetrics();

    @Tag("M-MNP-1")
    @Test
    void limitsAreTold() {
        rig.apply(pool("a").limits("cpu", "10500m", "memory", "10Mi", "ephemeral-storage", "1Gi"));

        rig.run(metrics, "a");

        assertThat(rig.gauge(Families.NODEPOOLS_LIMIT, "cpu", "a")).isEqualTo(10.5);
        assertThat(rig.gauge(Families.NODEPOOLS_LIMIT, "memory", "a")).isEqualTo(10.0 * (1 << 20));
        assertThat(rig.gauge(Families.NODEPOOLS_LIMIT, "ephemeral_storage", "a"))
                .isEqualTo(1 << 30);
        assertThat(rig.gauges()).hasSize(3);
    }

    @Tag("M-MNP-2")
    @Test
    void aPoolOfAnotherProviderIsNotTold() {
        rig.apply(pool("a").ofOtherProvider().limits("cpu", "10"));

        rig.run(metrics, "a");

        assertThat(rig.gauges()).isEmpty();
    }

    @Tag("M-MNP-3")
    @Test
    void useIsToldAsThePoolsStatusHasIt() {
        rig.apply(pool("a").used("cpu", "3", "nodes", "2"));

        rig.run(metrics, "a");

        assertThat(rig.gauge(Families.NODEPOOLS_USAGE, "cpu", "a")).isEqualTo(3);
        assertThat(rig.gauge(Families.NODEPOOLS_USAGE, "nodes", "a")).isEqualTo(2);
    }

    @Tag("M-MNP-4")
    @Test
    void theGaugesOfAPoolGoWithIt() {
        rig.apply(pool("a").limits("cpu", "10").used("cpu", "3"), pool("b").used("cpu", "1"));
        rig.run(metrics, "a");
        rig.run(metrics, "b");

        rig.api().vanish(ResourceType.NODE_POOL, new ObjectName("", "a"));
        rig.run(metrics, "a");

        assertThat(rig.gauges()).hasSize(1);
        assertThat(rig.gauge(Families.NODEPOOLS_USAGE, "cpu", "b")).isEqualTo(1);
    }
}
