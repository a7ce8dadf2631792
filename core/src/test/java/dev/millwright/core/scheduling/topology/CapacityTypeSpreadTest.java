package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_ON_DEMAND;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_SPOT;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

class CapacityTypeSpreadTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    private static PodBuilder web() {
        return pod("web").labels(WEB);
    }

    /// A cluster that can buy on demand only and has one pod of the application on a full spot
    /// node.
    private static ClusterBuilder onDemandBesideSpot() {
        return cluster()
                .with(nodePool("default").requirement(in(CAPACITY_TYPE, CAPACITY_TYPE_ON_DEMAND)))
                .with(node("old").capacityType(CAPACITY_TYPE_SPOT).podSlots(1))
                .with(web().renamed("there").onNode("old"));
    }

    @Test
    @Tag("C26")
    void podsLieEvenlyOverCapacityTypes() {
        var plan = cluster().with(pods(4, web().spread(CAPACITY_TYPE, 1))).plan();

        assertThat(plan).schedulesAll().spreads(CAPACITY_TYPE, 2, 2);
    }

    @Test
    @Tag("C27")
    void aPoolOfOneCapacityTypeTakesAllPods() {
        var plan =
                cluster()
                        .with(
                                nodePool("default")
                                        .requirement(in(CAPACITY_TYPE, CAPACITY_TYPE_SPOT)))
                        .with(pods(4, web().spread(CAPACITY_TYPE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(CAPACITY_TYPE, 4);
    }

    @Test
    @Tag("C28")
    void podsWaitRatherThanExceedTheSkewOfCapacityTypes() {
        var plan = onDemandBesideSpot().with(pods(5, web().spread(CAPACITY_TYPE, 1))).plan();

        assertThat(plan).spreads(CAPACITY_TYPE, 2).leavesWaiting(3);
    }

    @Test
    @Tag("C29")
    void aSoftSpreadOverCapacityTypesGivesWay() {
        var plan = onDemandBesideSpot().with(pods(5, web().softSpread(CAPACITY_TYPE, 1))).plan();

        assertThat(plan)
                .schedulesAll()
                .puts("web-1", "web-2", "web-3", "web-4", "web-5")
                .onNewNodes();
    }

    @Test
    @Tag("C30")
    void onlyLivePodsOnNodesWithACapacityTypeCount() {
        var plan =
                cluster()
                        .with(
                                node("spot").capacityType(CAPACITY_TYPE_SPOT).cpu("0"),
                                node("dear").capacityType(CAPACITY_TYPE_ON_DEMAND).cpu("0"),
                                node("neither").cpu("0"))
                        .with(
                                web().renamed("live").onNode("spot"),
                                pod("unlabelled").onNode("dear"),
                                web().renamed("foreign").namespace("other").onNode("dear"),
                                web().renamed("failed").onNode("dear").phase(Phase.FAILED),
                                web().renamed("done").onNode("dear").phase(Phase.SUCCEEDED),
                                web().renamed("leaving").onNode("dear").terminating(),
                                web().renamed("typeless").onNode("neither"))
                        .with(web().renamed("new").cpu("1").spread(CAPACITY_TYPE, 1))
                        .plan();

        assertThat(plan)
                .schedulesAll()
                .claimOf("new")
                .requires(CAPACITY_TYPE, CAPACITY_TYPE_ON_DEMAND);
    }

    @Test
    @Tag("C31")
    void aPodWhoseCapacityTypeSpreadSelectsNothingIsScheduled() {
        var plan =
                cluster()
                        .with(web().spread(SpreadConstraint.of(CAPACITY_TYPE, 1, true, null)))
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C32")
    void podsThatTheirOwnCapacityTypeSelectorLeavesOutArePackedTogether() {
        var plan = cluster().with(pods(5, pod("other").spread(CAPACITY_TYPE, 1, WEB))).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C33")
    void aRequiredAffinityNarrowsTheCapacityTypesThatCount() {
        var plan =
                cluster()
                        .with(
                                pods(
                                        5,
                                        web().requires(in(CAPACITY_TYPE, CAPACITY_TYPE_SPOT))
                                                .spread(CAPACITY_TYPE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(CAPACITY_TYPE, 5);
    }

    @Test
    @Tag("C34")
    void podsThatAreThereCountForTheBalanceOfCapacityTypes() {
        var plan =
                cluster()
                        .with(node("old").capacityType(CAPACITY_TYPE_SPOT).podSlots(1))
                        .with(web().renamed("there").onNode("old"))
                        .with(pods(5, web().spread(CAPACITY_TYPE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(CAPACITY_TYPE, 2, 3);
    }

    @Test
    @Tag("C35")
    void podsThatAreThereCountForTheBalanceOfArchitectures() {
        var plan =
                cluster()
                        .with(node("old").label(ARCH, "amd64").podSlots(1))
                        .with(web().renamed("there").onNode("old"))
                        .with(pods(5, web().spread(ARCH, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ARCH, 2, 3);
    }
}
