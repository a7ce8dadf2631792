package dev.millwright.controllers.metrics;

import static dev.millwright.testing.kit.cluster.Manifest.claim;
import static dev.millwright.testing.kit.cluster.Manifest.node;
import static dev.millwright.testing.kit.cluster.Manifest.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.controllers.metrics.node.NodeMetrics;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// What is told of nodes.
final class NodeMetricsTest {

    private final Rig rig = new Rig();
    private final NodeFamilies families = NodeFamilies.of(rig.cloud().traits().vocabulary());
    private final NodeFamilies.Resources resources = families.resources();
    private final NodeMetrics metrics = new NodeMetrics(families, new ClusterState(new Marks()));

    private static Manifest ours() {
        return node("ours")
                .providerId("fake://1")
                .nodePool("default")
                .label(LabelKeys.INSTANCE_TYPE, "small")
                .label(LabelKeys.ZONE, "test-zone-1")
                .initialized()
                .capacity("cpu", "4", "memory", "4Gi", "ephemeral-storage", "20Gi")
                .allocatable("cpu", "3900m", "memory", "3Gi", "ephemeral-storage", "20Gi");
    }

    private @Nullable Double shown(MetricFamily family, String node, String resource) {
        return rig.gauges().stream()
                .filter(sample -> sample.family().equals(family))
                .filter(sample -> label(sample, "node_name").equals(node))
                .filter(sample -> label(sample, "resource_type").equals(resource))
                .map(GaugeSample::value)
                .findFirst()
                .orElse(null);
    }

    private static String label(GaugeSample sample, String name) {
        return sample.labels().get(sample.family().labels().indexOf(name));
    }

    @Tag("M-MN-1")
    @Test
    void whatANodeCanAllocateIsTold() {
        rig.apply(ours());

        var ending = rig.run(metrics);

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(5)));
        assertThat(shown(resources.allocatable(), "ours", "cpu")).isEqualTo(3.9);
        assertThat(shown(resources.allocatable(), "ours", "memory")).isEqualTo(3.0 * (1L << 30));
        assertThat(shown(resources.allocatable(), "ours", "ephemeral_storage")).isNotNull();
        assertThat(shown(resources.systemOverhead(), "ours", "cpu")).isCloseTo(0.1, within(1e-9));
    }

    @Tag("M-MN-2")
    @Test
    void onlyANodeWithAClaimIsManaged() {
        rig.apply(ours(), claim("one").providerId("fake://1"), node("theirs").capacity("cpu", "1"));

        rig.run(metrics);

        assertThat(rig.gauges())
                .filteredOn(sample -> sample.family().equals(families.currentLifetime()))
                .extracting(sample -> label(sample, "managed"))
                .containsExactly("true", "false");
    }

    @Tag("M-MN-3")
    @Test
    void theAgeOfNodesAndTheUseOfTheClusterAreTold() {
        rig.apply(ours(), pod("a").requests("cpu", "1950m").on("ours"));
        rig.advance(Duration.ofMinutes(90));

        rig.run(metrics);

        assertThat(rig.gauges())
                .filteredOn(sample -> sample.family().equals(families.currentLifetime()))
                .extracting(GaugeSample::value)
                .containsExactly(5_400.0);
        assertThat(rig.gauge(Families.CLUSTER_UTILIZATION, "cpu")).isEqualTo(50);
        assertThat(rig.gauge(Families.CLUSTER_UTILIZATION, "memory")).isZero();
    }

    @Tag("M-MN-4")
    @Test
    void theGaugesOfANodeGoWithIt() {
        rig.apply(ours());
        rig.run(metrics);

        rig.api().vanish(ResourceType.NODE, new ObjectName("", "ours"));
        rig.run(metrics);

        assertThat(rig.gauges()).isEmpty();
    }

    @Test
    void podsAreSummedUpAndDaemonsAgainByThemselves() {
        rig.apply(
                ours(),
                pod("a").requests("cpu", "1").limits("cpu", "2").on("ours"),
                pod("b").requests("cpu", "250m").on("ours").ofDaemonSet("logs"),
                pod("ended").requests("cpu", "8").on("ours").phase("Succeeded"),
                pod("waiting").requests("cpu", "8"));

        rig.run(metrics);

        assertThat(shown(resources.podRequests(), "ours", "cpu")).isEqualTo(1.25);
        assertThat(shown(resources.podRequests(), "ours", "pods")).isEqualTo(2);
        assertThat(shown(resources.podLimits(), "ours", "cpu")).isEqualTo(2);
        assertThat(shown(resources.daemonRequests(), "ours", "cpu")).isEqualTo(0.25);
        assertThat(shown(resources.daemonLimits(), "ours", "cpu")).isNull();
        assertThat(shown(resources.daemonLimits(), "ours", "pods")).isEqualTo(1);
    }

    @Test
    void aNodeThatDidNotChangeIsNotToldAgain() {
        rig.apply(ours(), pod("a").requests("cpu", "1").on("ours"));
        rig.run(metrics);

        var again = metrics.step(rig.view(), Controller.SINGLETON, rig.now());

        assertThat(again.effects()).hasSize(1).first().isInstanceOf(Effect.Gauges.class);
        assertThat(shown(resources.podRequests(), "ours", "cpu")).isEqualTo(1);
    }

    @Test
    void aNodeShowsItsWellKnownLabelsAndItsPhase() {
        rig.apply(ours().phase("Running"));

        rig.run(metrics);

        assertThat(rig.gauges())
                .filteredOn(sample -> sample.family().equals(families.currentLifetime()))
                .singleElement()
                .satisfies(
                        sample -> {
                            assertThat(label(sample, "nodepool")).isEqualTo("default");
                            assertThat(label(sample, "zone")).isEqualTo("test-zone-1");
                            assertThat(label(sample, "arch")).isEmpty();
                            assertThat(label(sample, "phase")).isEqualTo("Running");
                        });
    }

    @Test
    void aNodeThatItsCloudHasNotIdentifiedIsNotTold() {
        rig.apply(node("early").nodePool("default").capacity("cpu", "4"));

        rig.run(metrics);

        assertThat(rig.gauges()).isEmpty();
    }
}
