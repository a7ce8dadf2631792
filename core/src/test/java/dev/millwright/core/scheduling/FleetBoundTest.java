package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.NodeBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What a fleet costs, and the least that its pods could cost.
final class FleetBoundTest {

    private static final InstanceType SMALL = type("small", "4", 1);
    private static final InstanceType LARGE = type("large", "16", 3);

    private static InstanceType type(String name, String cpu, double price) {
        return instanceType(name)
                .cpu(cpu)
                .memory("64Gi")
                .pods(50)
                .withoutOverhead()
                .offering("test-zone-2", "on-demand", 9)
                .offering("test-zone-1", "spot", price / 2)
                .offering("test-zone-1", "on-demand", price)
                .build();
    }

    private static NodeBuilder bought(String name, InstanceType type) {
        return node(name).bought(type, Offering.of("test-zone-1", "on-demand", 0));
    }

    private static FleetBound bound(ClusterBuilder cluster) {
        return FleetBound.of(cluster.selling(List.of(SMALL, LARGE)).problem());
    }

    @Test
    void aFleetCostsWhatItsNodesWereBoughtAsAndItsPodsTheLeastOfAll() {
        var bound =
                bound(
                        cluster()
                                .with(bought("a", SMALL), bought("b", LARGE))
                                .with(
                                        pod("1", "2").ownedBy("ReplicaSet", "web").onNode("a"),
                                        pod("2", "6").ownedBy("ReplicaSet", "web").onNode("b")));

        assertThat(bound.pricePerHour()).isEqualTo(4);
        assertThat(bound.lowerBoundPerHour()).isCloseTo(1.5, within(1e-9));
        assertThat(bound.gap()).isCloseTo(0.625, within(1e-9));
    }

    @Test
    void nodesOfUnknownPriceAreLeftOutWithTheirPods() {
        var bound =
                bound(
                        cluster()
                                .with(
                                        bought("known", SMALL),
                                        bought("gone", type("gone", "8", 5)),
                                        bought("zone", LARGE).zone("test-zone-3"),
                                        bought("reserved", LARGE).capacityType("reserved"),
                                        bought("foreign", SMALL).unmanaged(),
                                        bought("coming", LARGE).inFlight(),
                                        bought("pool", LARGE).pool("gone"))
                                .with(
                                        pod("1", "4").onNode("known"),
                                        pod("2", "4").onNode("gone"),
                                        pod("3", "4").onNode("foreign"),
                                        pod("4", "4"),
                                        pod("5", "4").onNode("coming")));

        assertThat(bound.pricePerHour()).isEqualTo(1);
        assertThat(bound.lowerBoundPerHour()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void roomOnNodesThatNoPoolBoughtCostsNothing() {
        var cluster =
                cluster()
                        .with(bought("a", SMALL), bought("foreign", LARGE).unmanaged())
                        .with(pod("1", "3").onNode("a"), pod("2", "12").onNode("foreign"));

        assertThat(bound(cluster).lowerBoundPerHour()).isZero();
        assertThat(bound(cluster.with(pod("3", "2").onNode("foreign"))).lowerBoundPerHour())
                .isCloseTo(0.5, within(1e-9));
    }

    @Test
    void daemonsAndPodsThatEndCostNothing() {
        var bound =
                bound(
                        cluster()
                                .with(bought("a", SMALL))
                                .with(
                                        pod("log", "1").ownedBy("DaemonSet", "log").onNode("a"),
                                        pod("ends", "1").onNode("a").terminating()));

        assertThat(bound.lowerBoundPerHour()).isZero();
        assertThat(bound.gap()).isEqualTo(1);
    }

    @Test
    void aFleetThatCostsNothingHasNoGap() {
        assertThat(bound(cluster()).gap()).isZero();
        assertThat(bound(cluster()).pricePerHour()).isZero();
    }

    @Test
    void withoutAPoolNothingIsTheLeast() {
        var problem =
                cluster().with(nodePool("default").notReady(), pod("1", "1").onNode("a")).problem();

        assertThat(FleetBound.leastPerHour(problem, problem.snapshot().pods())).isZero();
    }
}
