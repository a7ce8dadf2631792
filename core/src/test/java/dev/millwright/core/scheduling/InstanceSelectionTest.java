package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.OS;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.Requirement;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.NodePoolBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// The cheapest machine is found under every mix of constraints.
///
/// The judge reads the names of the assorted catalogue, which say what a machine is, and nothing
/// else.
final class InstanceSelectionTest {

    private static final List<InstanceType> ASSORTED = FakeCatalogue.assorted();

    private static final Requirement AMD64 = in(ARCH, "amd64");
    private static final Requirement ARM64 = in(ARCH, "arm64");
    private static final Requirement LINUX = in(OS, "linux");
    private static final Requirement WINDOWS = in(OS, "windows");
    private static final Requirement IN_ZONE_2 = in(ZONE, ZONE_2);
    private static final Requirement SPOT = in(CAPACITY_TYPE, "spot");

    private static NodePoolBuilder pool(Requirement... requirements) {
        return Arrays.stream(requirements)
                .reduce(nodePool("default"), NodePoolBuilder::requirement, (one, other) -> other);
    }

    private static PodBuilder wanting(Requirement... requirements) {
        return requirements.length == 0 ? pod("a") : pod("a").requires(requirements);
    }

    private static Plan plan(NodePoolBuilder pool, PodBuilder pod) {
        return cluster().selling(ASSORTED).with(pool, pod).plan();
    }

    /// The machines whose names hold all these words, cheapest first.
    private static List<InstanceType> named(String... words) {
        return ASSORTED.stream()
                .filter(type -> Arrays.stream(words).allMatch(type.name()::contains))
                .sorted(Comparator.comparingDouble(InstanceSelectionTest::price))
                .toList();
    }

    private static double price(InstanceType type) {
        return type.offerings().getFirst().pricePerHour();
    }

    /// The claim offers only machines with these words in their names, and the cheapest of them.
    private static void assertCheapest(Plan plan, String... words) {
        var fitting = named(words);

        assertThat(plan).schedulesAll().launches(1);
        var claim = plan.claims().getFirst();
        assertThat(claim.pricePerHour()).isEqualTo(price(fitting.getFirst()));
        assertThat(claim.types())
                .hasSize(Math.min(600, fitting.size()))
                .allSatisfy(type -> assertThat(type.name()).contains(words))
                .isSortedAccordingTo(Comparator.comparingDouble(type -> type.pricePerHour()));
    }

    @Tag("D1")
    @Test
    void cheapestOfAll() {
        assertCheapest(plan(pool(), wanting()), "-cpu-");
    }

    @Tag("D2")
    @Test
    void cheapestForTheArchitectureThePodWants() {
        assertCheapest(plan(pool(), wanting(AMD64)), "-amd64-");
    }

    @Tag("D3")
    @Test
    void cheapestForTheOtherArchitectureThePodWants() {
        assertCheapest(plan(pool(), wanting(ARM64)), "-arm64-");
    }

    @Tag("D4")
    @Test
    void cheapestForTheArchitectureThePoolWants() {
        assertCheapest(plan(pool(AMD64), wanting()), "-amd64-");
    }

    @Tag("D5")
    @Test
    void cheapestForTheOtherArchitectureThePoolWants() {
        assertCheapest(plan(pool(ARM64), wanting()), "-arm64-");
    }

    @Tag("D6")
    @Test
    void cheapestForTheSystemThePoolWants() {
        assertCheapest(plan(pool(WINDOWS), wanting()), "-windows-");
    }

    @Tag("D7")
    @Test
    void cheapestForTheSystemThePodWants() {
        assertCheapest(plan(pool(), wanting(WINDOWS)), "-windows-");
    }

    @Tag("D8")
    @Test
    void cheapestForTheOtherSystemThePodWants() {
        assertCheapest(plan(pool(), wanting(LINUX)), "-linux-");
    }

    @Tag("D9")
    @Test
    void cheapestForTheOtherSystemThePoolWants() {
        assertCheapest(plan(pool(LINUX), wanting()), "-linux-");
    }

    @Tag("D10")
    @Test
    void cheapestForTheZoneThePoolWants() {
        assertCheapest(plan(pool(IN_ZONE_2), wanting()), ZONE_2);
    }

    @Tag("D11")
    @Test
    void cheapestForTheZoneThePodWants() {
        assertCheapest(plan(pool(), wanting(IN_ZONE_2)), ZONE_2);
    }

    @Tag("D12")
    @Test
    void cheapestForTheCapacityTypeThePoolWants() {
        assertCheapest(plan(pool(SPOT), wanting()), "-spot");
    }

    @Tag("D13")
    @Test
    void cheapestForTheCapacityTypeThePodWants() {
        assertCheapest(plan(pool(), wanting(SPOT)), "-spot");
    }

    @Tag("D14")
    @Test
    void cheapestForCapacityTypeAndZoneThePoolWants() {
        assertCheapest(plan(pool(SPOT, IN_ZONE_2), wanting()), ZONE_2, "-spot");
    }

    @Tag("D15")
    @Test
    void cheapestForCapacityTypeAndZoneThePodWants() {
        assertCheapest(plan(pool(), wanting(SPOT, IN_ZONE_2)), ZONE_2, "-spot");
    }

    @Tag("D16")
    @Test
    void cheapestForCapacityTypeOfThePoolAndZoneOfThePod() {
        assertCheapest(plan(pool(SPOT), wanting(IN_ZONE_2)), ZONE_2, "-spot");
    }

    @Tag("D17")
    @Test
    void cheapestForAllFourThePoolWants() {
        assertCheapest(
                plan(pool(SPOT, IN_ZONE_2, ARM64, WINDOWS), wanting()),
                ZONE_2,
                "-spot",
                "-arm64-",
                "-windows-");
    }

    @Tag("D18")
    @Test
    void cheapestForAllFourThePodWants() {
        assertCheapest(
                plan(pool(), wanting(SPOT, IN_ZONE_2, AMD64, LINUX)),
                ZONE_2,
                "-spot",
                "-amd64-",
                "-linux-");
    }

    @Tag("D19")
    @Test
    void cheapestForAllFourSplitBetweenBoth() {
        assertCheapest(
                plan(pool(SPOT, IN_ZONE_2), wanting(AMD64, LINUX)),
                ZONE_2,
                "-spot",
                "-amd64-",
                "-linux-");
    }

    @Tag("D20")
    @Test
    void cheapestForAllFourSplitTheOtherWay() {
        assertCheapest(
                plan(pool(AMD64, WINDOWS), wanting(SPOT, IN_ZONE_2)),
                ZONE_2,
                "-spot",
                "-amd64-",
                "-windows-");
    }

    @Tag("D21")
    @Test
    void anArchitectureThePoolDoesNotHaveIsRefused() {
        var plan = plan(pool(ARM64), wanting(AMD64));

        assertThat(plan).launchesNothing().leavesWaiting("a").because("amd64");
    }

    @Tag("D22")
    @Test
    void aMixNobodyOffersIsRefused() {
        var plan =
                cluster()
                        .selling(
                                ASSORTED.stream()
                                        .filter(type -> !type.name().matches(".*arm64.*zone-2.*"))
                                        .toList())
                        .with(wanting(ARM64, IN_ZONE_2))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because("arm64");
    }

    @Tag("D23")
    @Test
    void aMixPoolAndPodMakeImpossibleIsRefused() {
        var plan =
                cluster()
                        .selling(
                                ASSORTED.stream()
                                        .filter(type -> !type.name().matches(".*arm64.*zone-2.*"))
                                        .toList())
                        .with(pool(ARM64), wanting(IN_ZONE_2))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(ZONE_2);
    }

    @Tag("D24")
    @Test
    void theCheapestAlsoHasEnoughResources() {
        var plan = plan(pool(), pod("a").cpu("14").memory("50Gi"));

        assertThat(plan).schedulesAll();
        assertThat(plan.claims().getFirst().types())
                .allSatisfy(
                        type -> assertThat(type.name()).matches("(16|32|64)-cpu-(64|128)-mem-.*"))
                .hasSize(3 * 2 * 24);
    }

    @Tag("D25")
    @Test
    void anOfferThatIsNotCompatibleDoesNotMakeATypeCheap() {
        var plan =
                cluster()
                        .selling(
                                instanceType("lure")
                                        .offering(ZONE_1, "spot", 0.1)
                                        .offering(ZONE_1, "on-demand", 3),
                                instanceType("honest")
                                        .offering(ZONE_1, "spot", 2)
                                        .offering(ZONE_1, "on-demand", 2))
                        .with(pod("a").nodeSelector(CAPACITY_TYPE, "on-demand"))
                        .plan();

        assertThat(plan).claimOf("a").cheapestType("honest").cheapestPrice(2);
    }
}
