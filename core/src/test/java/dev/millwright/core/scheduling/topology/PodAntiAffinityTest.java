package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

class PodAntiAffinityTest {

    private static final Map<String, String> LOUD = Map.of("noise", "loud");

    private static PodBuilder loud() {
        return pod("loud").labels(LOUD);
    }

    /// A pod that cannot bear loud ones in its domain.
    private static PodBuilder quiet(String key) {
        return pod("quiet").podAntiAffinity(key, LOUD);
    }

    /// The model once in each zone; it is placed first, being larger.
    private static ClusterBuilder inEachZone(PodBuilder model) {
        return cluster()
                .with(
                        model.renamed("zone-1").cpu("2").nodeSelector(ZONE, ZONE_1),
                        model.renamed("zone-2").cpu("2").nodeSelector(ZONE, ZONE_2),
                        model.renamed("zone-3").cpu("2").nodeSelector(ZONE, ZONE_3));
    }

    @Test
    @Tag("C68")
    void podsThatRepelEachOtherGetTwoHosts() {
        var plan = cluster().with(loud(), quiet(HOSTNAME)).plan();

        assertThat(plan).schedulesAll().launches(2).puts("loud", "quiet").apart();
    }

    @Test
    @Tag("C69")
    void aPodWaitsWhenEveryZoneHasOneItRepels() {
        var plan = inEachZone(loud()).with(quiet(ZONE)).plan();

        assertThat(plan).schedules("zone-1", "zone-2", "zone-3").leavesWaiting("quiet");
    }

    @Test
    @Tag("C70")
    void aPodAvoidsTheZoneOfOneThatCameFirst() {
        var plan =
                cluster().with(loud().cpu("2").nodeSelector(ZONE, ZONE_1)).with(quiet(ZONE)).plan();

        assertThat(plan).schedulesAll().claimOf("quiet").requires(ZONE, ZONE_2, ZONE_3);
    }

    @Test
    @Tag("C71")
    void aPodAvoidsTheArchitectureOfOneItRepels() {
        var plan =
                cluster()
                        .with(loud().cpu("2").nodeSelector(ARCH, "arm64"))
                        .with(quiet(ARCH))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("quiet").requires(ARCH, "amd64");
    }

    @Test
    @Tag("C72")
    void aWishToRepelBindsNobodyElse() {
        var plan =
                inEachZone(pod("quiet").prefersPodAntiAffinity(10, ZONE, LOUD)).with(loud()).plan();

        assertThat(plan).schedulesAll();
    }

    @Test
    @Tag("C73")
    void aPodThatIsRepelledInEveryZoneWaits() {
        var plan = inEachZone(quiet(ZONE)).with(loud()).plan();

        assertThat(plan).schedules("zone-1", "zone-2", "zone-3").leavesWaiting("loud");
    }

    @Test
    @Tag("C74")
    void aPodWhoseZoneIsOpenRepelsInAllZonesUntilTheNextPass() {
        var cluster = cluster().with(quiet(ZONE).cpu("2"), loud());
        var first = cluster.plan();
        var second = cluster.after(first).eachNode(NodeBuilder::registered).plan();

        assertThat(first).schedules("quiet").leavesWaiting("loud");
        assertThat(second).schedulesAll().puts("loud").onNewNodes();
    }

    /// A full node in each zone, with the model on it.
    private static ClusterBuilder onNodesOfEachZone(PodBuilder model) {
        return cluster()
                .with(
                        node("n-1").zone(ZONE_1).podSlots(1),
                        node("n-2").zone(ZONE_2).podSlots(1),
                        node("n-3").zone(ZONE_3).podSlots(1))
                .with(
                        model.renamed("on-1").onNode("n-1"),
                        model.renamed("on-2").onNode("n-2"),
                        model.renamed("on-3").onNode("n-3"));
    }

    @Test
    @Tag("C75")
    void podsThatRunAlreadyRepelNewOnes() {
        var plan = onNodesOfEachZone(quiet(ZONE)).with(loud()).plan();

        assertThat(plan).leavesWaiting("loud");
    }

    @Test
    @Tag("C76")
    void wishesOfPodsThatRunAlreadyBindNobody() {
        var plan =
                onNodesOfEachZone(pod("quiet").prefersPodAntiAffinity(10, ZONE, LOUD))
                        .with(loud())
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C78")
    void podsThatRepelTheirLikeTakeAZoneAPass() {
        var cluster =
                cluster()
                        .with(pods(3, loud().renamed("solo").cpu("2").podAntiAffinity(ZONE, LOUD)));
        var first = cluster.plan();
        var afterFirst = cluster.after(first).eachNode(NodeBuilder::registered);
        var second = afterFirst.plan();
        var afterSecond = afterFirst.after(second).eachNode(NodeBuilder::registered);
        var third = afterSecond.plan();

        assertThat(first).launches(1).leavesWaiting(2);
        assertThat(second).launches(1).leavesWaiting(1);
        assertThat(third).launches(1).schedulesAll();
    }
}
