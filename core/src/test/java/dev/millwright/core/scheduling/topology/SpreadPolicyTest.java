package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_ON_DEMAND;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_SPOT;
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
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.SpreadConstraint.Inclusion;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/// Which nodes and domains count for a spread.
class SpreadPolicyTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final String COLOUR = "example.org/colour";
    private static final String SITE = "example.org/site";
    private static final Taint GOLD = taint("dedicated", "gold");
    private static final Taint SILVER = taint("dedicated", "silver");

    private static PodBuilder web() {
        return pod("web").labels(WEB);
    }

    private static SpreadConstraint colours(Inclusion taints, Inclusion affinity) {
        return SpreadConstraint.of(COLOUR, 1, true, Selector.ofLabels(WEB))
                .withPolicies(taints, affinity);
    }

    /// A pool of two colours, and a node of a third that repels the pods.
    private static ClusterBuilder besideTaintedNode() {
        return cluster()
                .with(nodePool("default").requirement(in(COLOUR, "red", "blue")))
                .with(node("other").unmanaged().label(COLOUR, "green").nodeTaint(GOLD));
    }

    @Test
    @Tag("C44")
    void aTaintedNodesDomainCountsWhereTaintsAreIgnored() {
        var plan =
                besideTaintedNode()
                        .with(pods(5, web().spread(colours(Inclusion.IGNORE, Inclusion.HONOR))))
                        .plan();

        assertThat(plan).spreads(COLOUR, 1, 1).leavesWaiting(3);
    }

    @Test
    @Tag("C45")
    void aTaintedNodesDomainIsLeftOutWhereTaintsAreHonoured() {
        var plan =
                besideTaintedNode()
                        .with(pods(5, web().spread(colours(Inclusion.HONOR, Inclusion.HONOR))))
                        .plan();

        assertThat(plan).schedulesAll().spreads(COLOUR, 2, 3);
    }

    @Test
    @Tag("C46")
    void aTaintedPoolsDomainCountsWhereTaintsAreIgnored() {
        var plan =
                cluster()
                        .with(nodePool("open").label(COLOUR, "red"))
                        .with(nodePool("closed").label(COLOUR, "blue").taint(GOLD))
                        .with(pods(2, web().spread(colours(Inclusion.IGNORE, Inclusion.HONOR))))
                        .plan();

        assertThat(plan).spreads(COLOUR, 1).leavesWaiting(1);
    }

    @Test
    @Tag("C47")
    void aTaintedPoolsDomainIsLeftOutWhereTaintsAreHonoured() {
        var plan =
                cluster()
                        .with(nodePool("open").label(COLOUR, "red"))
                        .with(nodePool("closed").label(COLOUR, "blue").taint(GOLD))
                        .with(pods(2, web().spread(colours(Inclusion.HONOR, Inclusion.HONOR))))
                        .plan();

        assertThat(plan).schedulesAll().spreads(COLOUR, 2);
    }

    @Test
    @Tag("C48")
    void podsThatTolerateDifferentPoolsEachSeeTheirOwnDomains() {
        var model = web().spread(colours(Inclusion.HONOR, Inclusion.HONOR));
        var plan =
                cluster()
                        .with(nodePool("gold").label(COLOUR, "red").taint(GOLD))
                        .with(nodePool("silver").label(COLOUR, "blue").taint(SILVER))
                        .with(pods(3, model.renamed("gold").tolerates(GOLD)))
                        .with(pods(2, model.renamed("silver").tolerates(SILVER)))
                        .plan();

        assertThat(plan)
                .schedulesAll()
                .puts("gold-1", "gold-2", "gold-3")
                .inPool("gold")
                .puts("silver-1", "silver-2")
                .inPool("silver");
    }

    /// A pool of one colour at the site the pods select, and a node of another colour elsewhere.
    private static ClusterBuilder besideUnselectedNode() {
        return cluster()
                .with(nodePool("default").label(COLOUR, "red").label(SITE, "here"))
                .with(node("other").unmanaged().label(COLOUR, "green").label(SITE, "there"));
    }

    @Test
    @Tag("C49")
    void anUnselectedNodesDomainCountsWhereAffinityIsIgnored() {
        var plan =
                besideUnselectedNode()
                        .with(
                                pods(
                                        2,
                                        web().nodeSelector(SITE, "here")
                                                .spread(
                                                        colours(
                                                                Inclusion.IGNORE,
                                                                Inclusion.IGNORE))))
                        .plan();

        assertThat(plan).spreads(COLOUR, 1).leavesWaiting(1);
    }

    @Test
    @Tag("C50")
    void anUnselectedNodesDomainIsLeftOutWhereAffinityIsHonoured() {
        var plan =
                besideUnselectedNode()
                        .with(
                                pods(
                                        2,
                                        web().nodeSelector(SITE, "here")
                                                .spread(
                                                        colours(
                                                                Inclusion.IGNORE,
                                                                Inclusion.HONOR))))
                        .plan();

        assertThat(plan).schedulesAll().spreads(COLOUR, 2);
    }

    @Test
    @Tag("C51")
    void aNodeSelectorNarrowsTheZonesThatCount() {
        var model = web().spread(ZONE, 1);
        var plan =
                cluster()
                        .with(pods(5, model.renamed("one").nodeSelector(ZONE, ZONE_1)))
                        .with(pods(10, model.renamed("two").nodeSelector(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 5, 10);
    }

    @Test
    @Tag("C52")
    void aRequirementOnZonesNarrowsTheZonesThatCount() {
        var plan =
                cluster()
                        .with(pods(10, web().spread(ZONE, 1).requires(in(ZONE, ZONE_1, ZONE_2))))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 5, 5);
    }

    @Test
    @Tag("C53")
    void aRequiredAffinityOfALaterPodOpensAnotherZone() {
        var cluster =
                cluster().with(pods(6, web().spread(ZONE, 1).requires(in(ZONE, ZONE_1, ZONE_2))));
        var first = cluster.plan();
        var second =
                cluster.after(first)
                        .eachNode(NodeBuilder::registered)
                        .with(
                                web().renamed("late")
                                        .cpu("3")
                                        .spread(ZONE, 1)
                                        .requires(in(ZONE, ZONE_2, ZONE_3)))
                        .plan();

        assertThat(first).schedulesAll().spreads(ZONE, 3, 3);
        assertThat(second).schedulesAll().inZone("late", ZONE_3);
    }

    @Test
    @Tag("C54")
    void aPreferredAffinityDoesNotNarrowTheZonesThatCount() {
        var plan =
                cluster()
                        .with(pods(6, web().spread(ZONE, 1).prefers(1, in(ZONE, ZONE_1, ZONE_2))))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 2, 2, 2);
    }

    @Test
    @Tag("C55")
    void aNodeSelectorNarrowsTheCapacityTypesThatCount() {
        var model = web().spread(CAPACITY_TYPE, 1);
        var plan =
                cluster()
                        .with(
                                pods(
                                        5,
                                        model.renamed("spot")
                                                .nodeSelector(CAPACITY_TYPE, CAPACITY_TYPE_SPOT)))
                        .with(
                                pods(
                                        9,
                                        model.renamed("dear")
                                                .nodeSelector(
                                                        CAPACITY_TYPE, CAPACITY_TYPE_ON_DEMAND)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(CAPACITY_TYPE, 5, 9);
    }

    @Test
    @Tag("C56")
    void aRequiredAffinityOfALaterPodOpensAnotherCapacityType() {
        var cluster =
                cluster()
                        .with(
                                pods(
                                        3,
                                        web().spread(CAPACITY_TYPE, 1)
                                                .requires(in(CAPACITY_TYPE, CAPACITY_TYPE_SPOT))));
        var first = cluster.plan();
        var second =
                cluster.after(first)
                        .eachNode(NodeBuilder::registered)
                        .with(
                                web().renamed("late")
                                        .spread(CAPACITY_TYPE, 1)
                                        .requires(
                                                in(
                                                        CAPACITY_TYPE,
                                                        CAPACITY_TYPE_SPOT,
                                                        CAPACITY_TYPE_ON_DEMAND)))
                        .plan();

        assertThat(first).schedulesAll().spreads(CAPACITY_TYPE, 3);
        assertThat(second)
                .schedulesAll()
                .claimOf("late")
                .requires(CAPACITY_TYPE, CAPACITY_TYPE_ON_DEMAND);
    }

    /// The pool repels by preference alone, so that its zone is none of the pod's domains until the
    /// pod has given up to keep off; by then another pod has a node there.
    @Test
    void aPodThatGivesUpAWishJoinsANodeThatIsInTheMaking() {
        var zones =
                SpreadConstraint.of(ZONE, 1, true, Selector.ofLabels(WEB))
                        .withPolicies(Inclusion.HONOR, Inclusion.HONOR);
        var plan =
                cluster()
                        .with(
                                nodePool("default")
                                        .requirement(in(ZONE, ZONE_1))
                                        .taint(taint("quiet", "", Effect.PREFER_NO_SCHEDULE)))
                        .with(pod("large").cpu("2"), web().cpu("1").spread(zones))
                        .packing(Packing.FIRST_FIT)
                        .plan();

        assertThat(plan).launches(1).schedulesAll();
    }
}
