package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_A;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.Container;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.FakeCatalogue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// How pods share new nodes.
final class PackingTest {

    private static Container container(String... requests) {
        return Container.of(Resources.parse(requests));
    }

    @Tag("B65")
    @Tag("F4")
    @Test
    void aSmallPodGoesToTheSmallestType() {
        var plan = cluster().with(pod("a").memory("100M")).plan();

        assertThat(plan).schedulesAll().launches("small-instance-type");
    }

    @Tag("B66")
    @Test
    void aSmallPodGoesToTheCheapestTypeThatFits() {
        var plan =
                cluster()
                        .selling(
                                instanceType("medium").cpu("2").offering(ZONE_1, "spot", 3),
                                instanceType("small").cpu("1").offering(ZONE_1, "spot", 2),
                                instanceType("large").cpu("4").offering(ZONE_1, "spot", 1))
                        .with(pod("a", "1m"))
                        .plan();

        assertThat(plan).claimOf("a").cheapestType("large").cheapestPrice(1);
    }

    @Tag("B67")
    @Test
    void theOverheadOfARuntimeClassTakesRoom() {
        var overhead = Resources.parse("cpu", "2");
        var requests =
                Container.podRequests(List.of(container("cpu", "1")), List.of(), null, overhead);

        var plan = cluster().with(pod("a").requests(requests)).plan();

        assertThat(plan).launches("default-instance-type");
    }

    @Tag("B68")
    @Test
    void manySmallPodsShareOneSmallNode() {
        var plan = cluster().with(pods(5, pod("a").memory("10M"))).plan();

        assertThat(plan).schedulesAll().launches("small-instance-type");
    }

    @Tag("B69")
    @Tag("F5")
    @Test
    void whatOverflowsGetsANewNode() {
        var model = pod("a").memory("1.8G").nodeSelector(ARCH, "amd64");

        var plan = cluster().with(pods(40, model)).plan();

        assertThat(plan).schedulesAll().launches(20);
        assertThat(plan).claimOf("a-1").cheapestType("default-instance-type");
    }

    @Tag("B70")
    @Test
    void largeAndSmallPodsMix() {
        var large = pod("large").memory("1.8G").nodeSelector(ARCH, "amd64");
        var small = pod("small").memory("400M").nodeSelector(ARCH, "amd64");

        var plan = cluster().with(pods(40, large)).with(pods(20, small)).plan();

        assertThat(plan).schedulesAll().launches(20);
    }

    @Tag("B71")
    @Test
    void podsAreTightlyPackedIntoMachinesOfTheirSize() {
        var plan =
                cluster()
                        .selling(FakeCatalogue.linear(5))
                        .with(pod("large", "4.5"), pod("small", "1"))
                        .plan();

        assertThat(plan)
                .puts("large", "small")
                .apart()
                .cheapestType("large", "fake-it-4")
                .cheapestType("small", "fake-it-1");
    }

    @Tag("B72")
    @Test
    void requestsOfZeroAreTolerated() {
        var plan = cluster().with(pod("a").resource(GPU_A, "0")).plan();

        assertThat(plan).schedulesAll().launches("small-instance-type");
    }

    @Tag("B72")
    @Test
    void requestsOfZeroForAResourceNobodyKnowsAreTolerated() {
        var plan = cluster().with(pod("a").resource("foo.com/weird-resource", "0")).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Tag("B73")
    @Test
    void requestsAboveEveryCapacityAreRefused() {
        var plan = cluster().with(pod("a").memory("2Ti")).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.NoInstanceType.class)
                .because("2Ti");
    }

    @Tag("B74")
    @Tag("F16")
    @Test
    void podSlotsBoundANode() {
        var model = pod("a").cpu("1m").memory("1Mi").nodeSelector(ARCH, "amd64");

        var plan = cluster().with(pods(25, model)).plan();

        assertThat(plan).schedulesAll().launches(5);
    }

    @Tag("B75")
    @Test
    void theLargestInitContainerCounts() {
        var plan =
                cluster()
                        .with(
                                pod("a").containers(
                                                List.of(container("cpu", "1", "memory", "1Gi")),
                                                List.of(container("cpu", "1", "memory", "2Gi"))))
                        .plan();

        assertThat(plan).launches("default-instance-type");
    }

    @Tag("B76")
    @Test
    void anInitContainerTooBigForEveryTypeIsRefused() {
        var plan =
                cluster()
                        .with(
                                pod("a").containers(
                                                List.of(container("cpu", "1")),
                                                List.of(container("cpu", "10000"))))
                        .plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.NoInstanceType.class);
    }

    @Tag("B77")
    @Test
    void aPricierTypeIsChosenWhereOnlyItIsValid() {
        var plan =
                cluster()
                        .selling(
                                instanceType("cheap").cpu("1").offering(ZONE_1, "spot", 0.1),
                                instanceType("dear").cpu("4").offering(ZONE_1, "spot", 3))
                        .with(pod("a", "2"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("dear");
    }

    @Tag("F15")
    @Test
    void acceleratorsAreProvided() {
        var plan = cluster().with(pods(3, pod("a").resource(GPU_A, "1"))).plan();

        assertThat(plan)
                .schedulesAll()
                .launches("gpu-vendor-instance-type", "gpu-vendor-instance-type");
    }

    @Test
    void theOrderOfThePodsDoesNotMatter() {
        var some = pods(7, pod("a", "900m"));

        var plan = cluster().with(some).plan();

        assertThat(cluster().with(some.reversed()).plan()).isEqualTo(plan);
    }
}
