package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.Given.service;
import static dev.millwright.testing.kit.Given.workload;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.Workload.Kind;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;
import dev.millwright.testing.kit.WorkloadBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// Constraints of the cluster for pods that have none of their own.
class DefaultSpreadTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    private static SpreadConstraint hard(String key) {
        return SpreadConstraint.of(key, 1, true, null);
    }

    private static SpreadConstraint soft(String key) {
        return SpreadConstraint.of(key, 1, false, null);
    }

    private static ClusterBuilder defaulting(SpreadConstraint... constraints) {
        return cluster().policy(policy -> policy.withDefaultSpread(List.of(constraints)));
    }

    private static WorkloadBuilder replicaSet(String name, Map<String, String> labels) {
        return workload(Kind.REPLICA_SET, name).selects(labels);
    }

    private static PodBuilder web() {
        return pod("web").labels(WEB).ownedBy("ReplicaSet", "web");
    }

    @Test
    @Tag("C87")
    void podsOfAWorkloadLieEvenlyOverZones() {
        var plan = defaulting(hard(ZONE)).with(replicaSet("web", WEB)).with(pods(4, web())).plan();

        assertThat(plan).schedulesAll().spreads(ZONE, 1, 1, 2);
    }

    @Test
    @Tag("C88")
    void podsOfAWorkloadLieEvenlyOverHosts() {
        var plan =
                defaulting(hard(HOSTNAME)).with(replicaSet("web", WEB)).with(pods(4, web())).plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 1, 1, 1, 1);
    }

    @Test
    @Tag("C89")
    void aPodsOwnConstraintsTakeThePlaceOfTheDefaults() {
        var plan =
                defaulting(hard(HOSTNAME))
                        .with(replicaSet("web", WEB))
                        .with(pods(4, web().spread(HOSTNAME, 4)))
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C90")
    void defaultsHoldMinDomains() {
        var plan =
                defaulting(hard(ZONE).withMinDomains(3))
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(replicaSet("web", WEB))
                        .with(pods(3, web()))
                        .plan();

        assertThat(plan).spreads(ZONE, 1, 1).leavesWaiting(1);
    }

    /// A pool that cannot reach the zone of the workload's only pod.
    private static ClusterBuilder unbalanced(SpreadConstraint constraint) {
        return defaulting(constraint)
                .with(nodePool("default").requirement(in(ZONE, ZONE_2)))
                .with(node("old").zone(ZONE_1).cpu("0"))
                .with(replicaSet("web", WEB))
                .with(pods(3, web().cpu("1")));
    }

    @Test
    @Tag("C91")
    void podsWaitRatherThanViolateAHardDefault() {
        var plan = unbalanced(hard(ZONE)).plan();

        assertThat(plan).spreads(ZONE, 1).leavesWaiting(2);
    }

    @Test
    @Tag("C92")
    void aSoftDefaultGivesWay() {
        var plan = unbalanced(soft(ZONE)).plan();

        assertThat(plan).schedulesAll();
    }

    @Test
    @Tag("C93")
    void withoutDefaultsPodsOfAWorkloadArePackedTogether() {
        var plan = cluster().with(replicaSet("web", WEB)).with(pods(4, web())).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C94")
    void podsWithoutOwnerOrServiceArePackedTogether() {
        var plan = defaulting(hard(HOSTNAME)).with(pods(4, pod("web").labels(WEB))).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C95")
    void podsThatRunAlreadyCountForDefaults() {
        var plan =
                defaulting(hard(ZONE))
                        .with(replicaSet("web", WEB))
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(node("old").zone(ZONE_1).cpu("0"))
                        .with(web().renamed("there").onNode("old"))
                        .with(web().renamed("new").cpu("1"))
                        .plan();

        assertThat(plan).schedulesAll().inZone("new", ZONE_2);
    }

    @Test
    @Tag("C96")
    void eachWorkloadIsSpreadByItself() {
        var api = pod("api").label("app", "api").ownedBy("ReplicaSet", "api");
        var plan =
                defaulting(hard(HOSTNAME))
                        .with(replicaSet("web", WEB), replicaSet("api", Map.of("app", "api")))
                        .with(pods(2, web()))
                        .with(pods(2, api))
                        .plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 2, 2);
    }

    @Test
    @Tag("C97")
    void eachRevisionIsSpreadByItself() {
        var plan =
                defaulting(hard(HOSTNAME))
                        .with(
                                replicaSet("web-1", Map.of("app", "web", "pod-template-hash", "1")),
                                replicaSet("web-2", Map.of("app", "web", "pod-template-hash", "2")))
                        .with(pods(2, revision("1")))
                        .with(pods(2, revision("2")))
                        .plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 2, 2);
    }

    private static PodBuilder revision(String hash) {
        return pod("revision-" + hash)
                .labels(WEB)
                .label("pod-template-hash", hash)
                .ownedBy("ReplicaSet", "web-" + hash);
    }

    @Test
    @Tag("C98")
    void aServiceAloneIsEnough() {
        var plan =
                defaulting(hard(HOSTNAME))
                        .with(service("web").selects(WEB))
                        .with(pods(3, pod("web").labels(WEB)))
                        .plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 1, 1, 1);
    }
}
