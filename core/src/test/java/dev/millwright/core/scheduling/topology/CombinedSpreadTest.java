package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_ON_DEMAND;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_SPOT;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.Selector;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;
import dev.millwright.testing.kit.checker.PlanChecker;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class CombinedSpreadTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final String RATIO = "capacity.spread.4-1";

    private static PodBuilder web() {
        return pod("web").labels(WEB);
    }

    @Test
    @Tag("C36")
    void zonesAndHostsAreBothKeptEven() {
        var plan = cluster().with(pods(5, web().spread(ZONE, 1).spread(HOSTNAME, 3))).plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 1, 2, 2);
    }

    @Test
    @Tag("C37")
    void aLabelOfPoolsSetsTheShareOfEachPool() {
        var plan =
                cluster()
                        .with(
                                nodePool("spot")
                                        .requirement(in(CAPACITY_TYPE, CAPACITY_TYPE_SPOT))
                                        .requirement(in(RATIO, "2", "3", "4", "5")))
                        .with(
                                nodePool("on-demand")
                                        .requirement(in(CAPACITY_TYPE, CAPACITY_TYPE_ON_DEMAND))
                                        .requirement(in(RATIO, "1")))
                        .with(pods(20, web().spread(RATIO, 1)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(RATIO, 4, 4, 4, 4, 4).spreads(CAPACITY_TYPE, 4, 16);
    }

    @Test
    @Tag("C38")
    void podsAloneOnTheirHostsStillLieEvenlyOverZones() {
        var plan = cluster().with(pods(6, web().spread(ZONE, 1).spread(HOSTNAME, 1))).plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 2, 2, 2).spreads(HOSTNAME, 1, 1, 1, 1, 1, 1);
    }

    @Test
    @Tag("C39")
    void aPoolOfOneZoneStillSpreadsOverHosts() {
        var plan =
                cluster()
                        .with(nodePool("default").label(ZONE, ZONE_1))
                        .with(pods(4, web().spread(ZONE, 1).spread(HOSTNAME, 2)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 4).spreads(HOSTNAME, 2, 2);
    }

    @Test
    @Tag("C40")
    void zonesAndCapacityTypesAreBothKeptEven() {
        var cluster = cluster().with(pods(5, web().spread(ZONE, 1).spread(CAPACITY_TYPE, 1)));
        var first = cluster.plan();
        var next = cluster.after(first).eachNode(NodeBuilder::registered);
        var second = next.plan();

        assertThat(second).schedulesAll();
        Assertions.assertThat(PlanChecker.check(cluster.problem(), first)).isEmpty();
        Assertions.assertThat(PlanChecker.check(next.problem(), second)).isEmpty();
    }

    @Test
    @Tag("C41")
    void hostsZonesAndCapacityTypesAreAllKeptEven() {
        var cluster =
                cluster()
                        .with(
                                pods(
                                        9,
                                        web().spread(ZONE, 2)
                                                .spread(CAPACITY_TYPE, 1)
                                                .spread(HOSTNAME, 3)));
        var first = cluster.plan();
        var next = cluster.after(first).eachNode(NodeBuilder::registered);
        var second = next.plan();

        assertThat(second).schedulesAll();
        Assertions.assertThat(PlanChecker.check(cluster.problem(), first)).isEmpty();
        Assertions.assertThat(PlanChecker.check(next.problem(), second)).isEmpty();
    }

    @Test
    @Tag("C42")
    void matchLabelKeysCountPodsOfTheSameValueOnly() {
        var model = web().spread(hosts("version"));
        var plan =
                cluster()
                        .with(pods(2, model.renamed("old").label("version", "1")))
                        .with(pods(2, model.renamed("new").label("version", "2")))
                        .plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 2, 2);
    }

    @Test
    @Tag("C43")
    void matchLabelKeysThatThePodLacksAreIgnored() {
        var plan = cluster().with(pods(4, web().spread(hosts("unknown")))).plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 1, 1, 1, 1);
    }

    private static SpreadConstraint hosts(String matchLabelKey) {
        return SpreadConstraint.of(HOSTNAME, 1, true, Selector.ofLabels(WEB))
                .withMatchLabelKeys(List.of(matchLabelKey));
    }
}
