package dev.millwright.controllers.pricing;

import static dev.millwright.testing.kit.FakeCatalogue.VOCABULARY;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.cluster.PoolManifests.launchedClaim;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.nodeoverlay.OverlayController;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.spi.OverlaidCloud;
import dev.millwright.spi.OverlayStore;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/// A machine costs 2 USD as spot and 5 on demand.
final class PoolCostsTest {

    private final Rig rig = new Rig();

    @BeforeEach
    void offer() {
        rig.apply(pool("p")).apply(pool("q"));
        rig.cloud().types(List.of(machine(2, 5)));
    }

    private static InstanceType machine(double spot, double onDemand) {
        return instanceType("default-instance-type")
                .offering(ZONE_1, "spot", spot)
                .offering(ZONE_2, "on-demand", onDemand)
                .build();
    }

    private static String claim(String name, String pool, String zone, String capacityType) {
        return launchedClaim(name, pool)
                .replace(
                        "  labels:\n",
                        "  labels:\n    topology.kubernetes.io/zone: %s\n    karpenter.sh/capacity-type: %s\n"
                                .formatted(zone, capacityType));
    }

    private void spot(String name, String pool) {
        rig.apply(claim(name, pool, ZONE_1, "spot"));
    }

    private void onDemand(String name, String pool) {
        rig.apply(claim(name, pool, ZONE_2, "on-demand"));
    }

    private void vanish(String name) {
        rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", name));
    }

    private SequencedMap<String, Double> costs() {
        return costs(rig.cloud()::catalog);
    }

    private SequencedMap<String, Double> costs(Catalogs catalogs) {
        return PoolCosts.of(rig.view(), catalogs).perHour();
    }

    @Test
    @Tag("G-COST-1")
    void aSpotMachineCostsItsPrice() {
        spot("a", "p");

        assertThat(costs()).containsExactly(entry("p", 2.0));
    }

    @Test
    @Tag("G-COST-2")
    void anOnDemandMachineCostsItsPrice() {
        onDemand("a", "p");

        assertThat(costs()).containsExactly(entry("p", 5.0));
    }

    @Test
    @Tag("G-COST-3")
    void twoMachinesAlikeCostTwice() {
        spot("a", "p");
        spot("b", "p");

        assertThat(costs()).containsExactly(entry("p", 4.0));
    }

    @Test
    @Tag("G-COST-4")
    void machinesOfAPoolAreAddedUp() {
        spot("a", "p");
        onDemand("b", "p");

        assertThat(costs()).containsExactly(entry("p", 7.0));
    }

    @Test
    @Tag("G-COST-5")
    void everyPoolHasItsOwnCost() {
        spot("a", "p");
        onDemand("b", "q");

        assertThat(costs()).containsExactly(entry("p", 2.0), entry("q", 5.0));
    }

    @Test
    @Tag("G-COST-6")
    void aMachineThatIsGoneCostsNothing() {
        spot("a", "p");
        vanish("a");

        assertThat(costs()).isEmpty();
    }

    @Test
    @Tag("G-COST-7")
    void ofTwoMachinesAlikeTheOneThatStaysCosts() {
        spot("a", "p");
        spot("b", "p");
        vanish("a");

        assertThat(costs()).containsExactly(entry("p", 2.0));
    }

    @Test
    @Tag("G-COST-8")
    void ofSeveralMachinesThoseThatStayCost() {
        spot("a", "p");
        onDemand("b", "p");
        vanish("a");

        assertThat(costs()).containsExactly(entry("p", 5.0));
    }

    @Test
    @Tag("G-COST-9")
    void aMachineThatIsGoneChangesItsPoolAlone() {
        spot("a", "p");
        onDemand("b", "q");
        vanish("a");

        assertThat(costs()).containsExactly(entry("q", 5.0));
    }

    @Test
    @Tag("G-COST-10")
    void aPoolWithoutMachinesIsNotTold() {
        spot("a", "p");
        rig.run(controller());
        assertThat(rig.gauge(Families.NODEPOOLS_COST, "p")).isEqualTo(2.0);

        vanish("a");
        rig.run(controller());
        assertThat(rig.gauge(Families.NODEPOOLS_COST, "p")).isNull();
    }

    @Test
    void machinesAreToldApartByHowTheyWereBought() {
        spot("a", "p");
        spot("b", "p");
        onDemand("c", "p");
        onDemand("d", "q");
        rig.run(controller());

        assertThat(rig.gauge(OwnFamilies.POOL_PRICE, "p", "spot")).isEqualTo(4.0);
        assertThat(rig.gauge(OwnFamilies.POOL_PRICE, "p", "on-demand")).isEqualTo(5.0);
        assertThat(rig.gauge(OwnFamilies.POOL_PRICE, "q", "on-demand")).isEqualTo(5.0);
        assertThat(rig.gauges()).hasSize(5);
    }

    @Test
    void aWordThatNoCatalogueHasMakesNoShare() {
        rig.apply(claim("a", "p", ZONE_1, "borrowed"));
        rig.run(controller());

        assertThat(rig.gauge(OwnFamilies.POOL_PRICE, "p", "borrowed")).isNull();
    }

    private PricingController controller() {
        return new PricingController(rig.cloud()::catalog, new ToldPrices());
    }

    @Test
    @Tag("G-COST-11")
    void anOverlaysPriceCounts() {
        spot("a", "p");
        var store = new OverlayStore();
        var overlaid = new OverlaidCloud(rig.cloud(), store);
        rig.apply(
                """
                apiVersion: karpenter.sh/v1alpha1
                kind: NodeOverlay
                metadata: {name: x}
                spec: {requirements: [], price: "9"}
                """);
        rig.run(
                new OverlayController(
                        rig.view().classKinds(),
                        rig.cloud()::catalog,
                        VOCABULARY,
                        store,
                        () -> {}));

        assertThat(costs(overlaid::catalog)).containsExactly(entry("p", 9.0));
    }

    @Test
    @Tag("G-COST-12")
    void anotherPriceOfTheCloudCounts() {
        spot("a", "p");
        rig.cloud().types(List.of(machine(3, 5)));

        assertThat(costs()).containsExactly(entry("p", 3.0));
    }

    @Test
    @Tag("G-COST-13")
    void aMachineThatComesAgainCostsOnce() {
        spot("a", "p");
        vanish("a");
        spot("a2", "p");

        assertThat(costs()).containsExactly(entry("p", 2.0));
    }

    @Test
    @Tag("G-COST-14")
    void machinesThatComeAtOnceAllCount() throws InterruptedException, ExecutionException {
        together(20, number -> spot("a" + number, "p"));

        assertThat(costs()).containsExactly(entry("p", 40.0));
    }

    @Test
    @Tag("G-COST-15")
    void machinesThatGoAtOnceAllCount() throws InterruptedException, ExecutionException {
        IntStream.range(0, 20).forEach(number -> spot("a" + number, "p"));
        together(15, number -> vanish("a" + number));

        assertThat(costs()).containsExactly(entry("p", 10.0));
    }

    @Test
    @Tag("G-COST-16")
    void askingWhileMachinesComeIsSafe() throws InterruptedException, ExecutionException {
        together(
                20,
                number -> {
                    spot("a" + number, "p");
                    assertThat(costs().getOrDefault("p", 0.0)).isBetween(2.0, 40.0);
                });

        assertThat(costs()).containsExactly(entry("p", 40.0));
    }

    private static void together(int count, IntConsumer call)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls =
                    IntStream.range(0, count)
                            .mapToObj(number -> Executors.callable(() -> call.accept(number), true))
                            .toList();
            for (var done : threads.invokeAll(calls)) {
                done.get();
            }
        }
    }

    @Test
    void aMachineWithoutAPriceCountsNothingAndIsToldOnce() {
        spot("a", "p");
        rig.apply(claim("b", "p", "test-zone-9", "spot"));
        var controller = controller();
        rig.run(controller);
        rig.run(controller);

        assertThat(rig.gauge(Families.NODEPOOLS_COST, "p")).isEqualTo(2.0);
        assertThat(rig.count(Families.NODEPOOLS_COST_TRACKER_ERRORS, "p")).isEqualTo(1);
        assertThat(rig.lines()).hasSize(1);
    }

    @Test
    void aClaimThatDoesNotSayWhatItIsCountsNothing() {
        rig.apply(launchedClaim("a", "p"));

        assertThat(costs()).isEmpty();
    }
}
