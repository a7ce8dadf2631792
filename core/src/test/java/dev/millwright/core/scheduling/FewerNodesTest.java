package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.InstanceTypeBuilder;
import dev.millwright.testing.kit.checker.PlanChecker;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// A node costs more than its price. For a hair of the price a fleet has fewer of them.
final class FewerNodesTest {

    private static final String ON_DEMAND = "on-demand";

    private static InstanceTypeBuilder type(String name, int cpu, String capacity, double price) {
        return instanceType(name)
                .cpu(Integer.toString(cpu))
                .memory(4 * cpu + "Gi")
                .pods(110)
                .withoutOverhead()
                .offering(ZONE_1, capacity, price);
    }

    private static ClusterBuilder selling(double largePrice) {
        return cluster()
                .packing(Packing.CHEAPEST)
                .selling(
                        type("small", 2, ON_DEMAND, 0.10), type("large", 4, ON_DEMAND, largePrice));
    }

    @Test
    void onLinearPricesPodsThatFitTogetherShareOneNode() {
        var plan = selling(0.20).with(pods(4, pod("web", "1"))).plan();

        assertThat(plan).schedulesAll().launches("large");
    }

    @Test
    void aFleetOfFewerNodesMayCostHalfAPercentMore() {
        var plan = selling(0.2009).with(pods(4, pod("web", "1"))).plan();

        assertThat(plan).schedulesAll().launches("large");
        assertThat(plan.lowerBoundPerHour()).isCloseTo(0.2, within(1e-9));
        assertThat(plan.isOptimal()).isFalse();
    }

    @Test
    void itMayNotCostMoreThanThat() {
        var plan = selling(0.2011).with(pods(4, pod("web", "1"))).plan();

        assertThat(plan).schedulesAll().launches("small", "small");
        assertThat(plan.isOptimal()).isTrue();
    }

    /// Each pair alone is within the hair of what it costs, both are together; a third is not.
    @Test
    void allThatFewerNodesCostIsComparedWithTheCheapestFleet() {
        var plan = selling(0.2009).with(pods(12, pod("web", "1"))).plan();

        assertThat(plan).schedulesAll().launches("large", "large", "large");
        assertThat(plan.pricePerHour()).isLessThanOrEqualTo(0.6 * (1 + FleetChoice.HAIR));
    }

    @Test
    void aLargeFleetHasFewerNodesForTheSamePrice() {
        var sizes =
                IntStream.range(0, 90)
                        .mapToObj(number -> pod("p" + number, 900 + number % 97 + "m"))
                        .toList();
        var cluster = selling(0.2).with(sizes);

        var plan = cluster.plan();

        assertThat(plan).schedulesAll().launches(23);
        assertThat(plan.pricePerHour()).isCloseTo(4.5, within(0.11));
        assertThat(PlanChecker.check(cluster.problem(), plan)).isEmpty();
    }

    private static List<InstanceType> spot(int largeTypes) {
        var types = new ArrayList<InstanceType>();
        IntStream.range(0, 20)
                .forEach(number -> types.add(type("small-" + number, 2, "spot", 0.1000).build()));
        IntStream.range(0, largeTypes)
                .forEach(number -> types.add(type("large-" + number, 4, "spot", 0.2005).build()));
        return types;
    }

    private static ClusterBuilder onSpot(int largeTypes) {
        return cluster()
                .packing(Packing.CHEAPEST)
                .selling(spot(largeTypes))
                .with(pods(4, pod("web", "1")));
    }

    @Test
    void aSpotNodeThatStandsForTwoHasFifteenTypesToo() {
        assertThat(onSpot(15).plan()).schedulesAll().launches(1);
        assertThat(onSpot(14).plan()).schedulesAll().launches(2);
    }

    @Test
    void minValuesAndLimitsAreKept() {
        var choice = "node.kubernetes.io/instance-type";
        var fourPods = pods(4, pod("web", "1"));

        assertThat(
                        selling(0.2)
                                .with(nodePool("default").minValues(choice, 2))
                                .with(fourPods)
                                .plan())
                .launches(2);
        assertThat(selling(0.2).with(nodePool("default").limit("cpu", "4")).with(fourPods).plan())
                .schedulesAll()
                .launches("large");
        assertThat(selling(0.2).with(nodePool("default").limit("nodes", "1")).with(fourPods).plan())
                .schedulesAll()
                .launches("large");
    }
}
