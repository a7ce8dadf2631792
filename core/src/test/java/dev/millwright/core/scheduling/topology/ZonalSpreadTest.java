package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Selector;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class ZonalSpreadTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    private static PodBuilder web() {
        return pod("web").labels(WEB);
    }

    /// A node whose only slot is taken by a pod of the application.
    private static NodeBuilder fullNode(String name, String zone) {
        return node(name).zone(zone).podSlots(1);
    }

    @Test
    @Tag("C1")
    void aPodSpreadOverAnUnknownKeyWaits() {
        var plan = cluster().with(web().spread("unknown", 1)).plan();

        assertThat(plan).leavesWaiting("web");
    }

    @Test
    @Tag("C2")
    void podsWithAnInvalidSelectorAreNotSpread() {
        var invalid =
                new Selector(
                        Selector.EVERYTHING.matchLabels(),
                        List.of(new Selector.Expression("app", Operator.IN, List.of())));
        var plan =
                cluster()
                        .with(pods(2, web().spread(SpreadConstraint.of(ZONE, 1, true, invalid))))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C3")
    void podsWithoutASelectorAreNotSpread() {
        var plan =
                cluster()
                        .with(pods(2, web().spread(SpreadConstraint.of(ZONE, 1, true, null))))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C4")
    void podsSelectedByLabelsLieEvenlyOverZones() {
        var plan = cluster().with(pods(4, web().spread(ZONE, 1))).plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 1, 1, 2);
    }

    @Test
    @Tag("C5")
    void podsSelectedByExpressionsLieEvenlyOverZones() {
        var selector =
                Selector.EVERYTHING.and(
                        new Selector.Expression("app", Operator.IN, List.of("api", "web")));
        var plan =
                cluster()
                        .with(pods(4, web().spread(SpreadConstraint.of(ZONE, 1, true, selector))))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 1, 1, 2);
    }

    @Test
    @Tag("C6")
    void aPoolOfOneZoneTakesAllPods() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1)))
                        .with(pods(4, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 4);
    }

    @Test
    @Tag("C7")
    void zonesThatThePoolsRequirementsLeaveOutAreNoDomains() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(pods(4, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 2, 2);
    }

    @Test
    @Tag("C8")
    void zonesThatThePoolsLabelLeavesOutAreNoDomains() {
        var plan =
                cluster()
                        .with(nodePool("default").label(ZONE, ZONE_1))
                        .with(pods(4, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 4);
    }

    @Test
    @Tag("C9")
    void thePoolsLabelNarrowsItsRequirements() {
        var plan =
                cluster()
                        .with(
                                nodePool("default")
                                        .requirement(in(ZONE, ZONE_1, ZONE_2))
                                        .label(ZONE, ZONE_1))
                        .with(pods(4, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 4);
    }

    @Test
    @Tag("C10")
    void zonesOfAllPoolsAreDomains() {
        var plan =
                cluster()
                        .with(nodePool("one").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(nodePool("two").label(ZONE, ZONE_3))
                        .with(pods(4, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 1, 1, 2);
    }

    @Test
    @Tag("C11")
    void aPodInAZoneThePoolCannotReachHoldsTheOthersBack() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(fullNode("old", ZONE_3))
                        .with(web().renamed("there").onNode("old"))
                        .with(pods(6, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).spreads(ZONE, 2, 2).leavesWaiting(2);
    }

    @Test
    @Tag("C12")
    void theFullestZoneIsUsedWhenItIsTheOnlyOneLeft() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_3)))
                        .with(fullNode("old-1", ZONE_1), fullNode("old-2", ZONE_2))
                        .with(web().renamed("there-1").onNode("old-1"))
                        .with(web().renamed("there-2").onNode("old-2"))
                        .with(pods(10, web().spread(ZONE, 5)))
                        .plan();

        assertThat(plan).spreads(ZONE, 6).leavesWaiting(4);
    }

    @Test
    @Tag("C13")
    void onlyTheEmptiestZonesAreUsedWhileTheSkewIsTooGreat() {
        var plan =
                cluster()
                        .with(node("old").zone(ZONE_1).podSlots(9))
                        .with(pods(3, web().renamed("there").onNode("old")))
                        .with(pods(4, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 2, 2).puts("web-1", "web-2").onNewNodes();
    }

    @Test
    @Tag("C14")
    void podsWaitRatherThanExceedTheSkew() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_2, ZONE_3)))
                        .with(fullNode("old", ZONE_1))
                        .with(web().renamed("there").onNode("old"))
                        .with(pods(10, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).spreads(ZONE, 2, 2).leavesWaiting(6);
    }

    @Test
    @Tag("C15")
    void aZoneThatOnlyANodeShowsIsADomain() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1)))
                        .with(node("far").zone("test-zone-4").cpu("0").unmanaged())
                        .with(pods(3, web().cpu("1").spread(ZONE, 1)))
                        .plan();

        assertThat(plan).spreads(ZONE, 1).leavesWaiting(2);
    }

    @Test
    @Tag("C16")
    void onlyLivePodsOfTheNamespaceOnNodesWithAZoneCount() {
        var plan =
                cluster()
                        .with(
                                node("n-1").zone(ZONE_1).cpu("0"),
                                node("n-2").zone(ZONE_2).cpu("0"),
                                node("n-3").zone(ZONE_3).cpu("0"),
                                node("nowhere").cpu("0"))
                        .with(
                                web().renamed("live-1").onNode("n-1"),
                                web().renamed("live-3").onNode("n-3"),
                                pod("unlabelled").onNode("n-2"),
                                web().renamed("foreign").namespace("other").onNode("n-2"),
                                web().renamed("failed").onNode("n-2").phase(Phase.FAILED),
                                web().renamed("done").onNode("n-2").phase(Phase.SUCCEEDED),
                                web().renamed("leaving").onNode("n-2").terminating(),
                                web().renamed("unbound").unseen(),
                                web().renamed("zoneless").onNode("nowhere"),
                                web().renamed("orphan").onNode("gone"))
                        .with(web().renamed("new").cpu("1").spread(ZONE, 1))
                        .plan();

        assertThat(plan).schedulesAll().inZone("new", ZONE_2);
    }

    @Test
    @Tag("C17")
    void aPodWhoseSpreadSelectsNothingIsScheduled() {
        var plan =
                cluster()
                        .with(node("old").zone(ZONE_1).podSlots(1))
                        .with(pod("there").onNode("old"))
                        .with(web().spread(SpreadConstraint.of(ZONE, 1, true, null)))
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C18")
    void podsThatTheirOwnSelectorLeavesOutArePackedTogether() {
        var plan = cluster().with(pods(5, pod("other").spread(ZONE, 1, WEB))).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C19")
    void fewerZonesThanMinDomainsTakeNoMoreThanTheSkewEach() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(pods(3, web().spread(zonal(3))))
                        .plan();

        assertThat(plan).spreads(ZONE, 1, 1).leavesWaiting(1);
    }

    @Test
    @Tag("C20")
    void asManyZonesAsMinDomainsAreFilledEvenly() {
        var plan = cluster().with(pods(11, web().spread(zonal(3)))).plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 3, 4, 4);
    }

    @Test
    @Tag("C21")
    void moreZonesThanMinDomainsAreFilledEvenly() {
        var plan = cluster().with(pods(11, web().spread(zonal(2)))).plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 3, 4, 4);
    }

    private static SpreadConstraint zonal(int minDomains) {
        return SpreadConstraint.of(ZONE, 1, true, Selector.ofLabels(WEB))
                .withMinDomains(minDomains);
    }
}
