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

import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.SpreadConstraint.Inclusion;
import dev.millwright.core.cluster.Workload.Kind;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Selector;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// Which pods belong together for the cluster's default constraints, told by where they land: pods
/// that do are spread over hosts, pods that do not share one.
class SpreadDeductionTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final Map<String, String> FRONT = Map.of("tier", "front");

    /// Each host takes one pod of a workload.
    private static ClusterBuilder onePerHost() {
        return cluster()
                .policy(
                        policy ->
                                policy.withDefaultSpread(
                                        List.of(SpreadConstraint.of(HOSTNAME, 1, true, null))));
    }

    private static PodBuilder web() {
        return pod("web").labels(WEB);
    }

    @Test
    @Tag("C104")
    void aReplicaSetsSelectorCountsNotThePodsOtherLabels() {
        var plan =
                onePerHost()
                        .with(workload(Kind.REPLICA_SET, "web").selects(WEB))
                        .with(
                                web().renamed("a").label("extra", "1").ownedBy("ReplicaSet", "web"),
                                web().renamed("b").label("extra", "2").ownedBy("ReplicaSet", "web"))
                        .plan();

        assertThat(plan).schedulesAll().puts("a", "b").apart();
    }

    @Test
    @Tag("C105")
    void aStatefulSetsPodIndexKeepsItsPodsNotApart() {
        var index = "apps.kubernetes.io/pod-index";
        var plan =
                onePerHost()
                        .with(workload(Kind.STATEFUL_SET, "web").selects(WEB))
                        .with(
                                web().renamed("web-0")
                                        .label(index, "0")
                                        .ownedBy("StatefulSet", "web"),
                                web().renamed("web-1")
                                        .label(index, "1")
                                        .ownedBy("StatefulSet", "web"))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-0", "web-1").apart();
    }

    @Test
    @Tag("C106")
    void expressionsOfASelectorCountAsTheyAre() {
        var selector =
                Selector.EVERYTHING.and(
                        new Selector.Expression("app", Operator.IN, List.of("web", "api")));
        var plan =
                onePerHost()
                        .with(workload(Kind.REPLICA_SET, "both").selector(selector))
                        .with(
                                web().renamed("a").ownedBy("ReplicaSet", "both"),
                                pod("b").label("app", "api").ownedBy("ReplicaSet", "both"))
                        .plan();

        assertThat(plan).schedulesAll().puts("a", "b").apart();
    }

    @Test
    @Tag("C107")
    void aReplicationControllersSelectorCounts() {
        var plan =
                onePerHost()
                        .with(workload(Kind.REPLICATION_CONTROLLER, "web").selects(WEB))
                        .with(pods(2, web().ownedBy("ReplicationController", "web")))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").apart();
    }

    @Test
    @Tag("C108")
    void ownersOfOtherKindsCountForNothing() {
        var plan = onePerHost().with(pods(2, web().ownedBy("Job", "web"))).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C109")
    void anOwnerThatIsNotTheControllerCountsForNothing() {
        var owner = new Owner("apps/v1", "ReplicaSet", "web", "uid-web", false);
        var plan =
                onePerHost()
                        .with(workload(Kind.REPLICA_SET, "web").selects(WEB))
                        .with(pods(2, web().ownedBy(owner)))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C110")
    void anOwnerThatIsGoneIsNoObstacle() {
        var plan = onePerHost().with(pods(2, web().ownedBy("ReplicaSet", "gone"))).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C111")
    void aServicesSelectorCounts() {
        var plan = onePerHost().with(service("web").selects(WEB)).with(pods(2, web())).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").apart();
    }

    @Test
    @Tag("C112")
    void selectorsOfSeveralServicesHoldTogether() {
        var plan =
                onePerHost()
                        .with(service("web").selects(WEB), service("front").selects(FRONT))
                        .with(
                                web().renamed("both").labels(FRONT).cpu("1"),
                                web().renamed("web-only").cpu("500m"))
                        .plan();

        // The first pod's selector leaves the second out, and the second's counts the first.
        assertThat(plan).schedulesAll().puts("both", "web-only").apart();
    }

    @Test
    @Tag("C112")
    void aPodThatOnlySomeOfTheServicesSelectIsNotCounted() {
        var plan =
                onePerHost()
                        .with(service("web").selects(WEB), service("front").selects(FRONT))
                        .with(node("old"))
                        .with(web().renamed("web-only").onNode("old"))
                        .with(web().renamed("both").labels(FRONT))
                        .plan();

        assertThat(plan).schedulesAll().puts("both").on("old");
    }

    @Test
    @Tag("C113")
    void aServiceOfOtherPodsCountsForNothing() {
        var plan =
                onePerHost()
                        .with(service("api").selects(Map.of("app", "api")))
                        .with(pods(2, web()))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C114")
    void aServiceWithoutSelectorCountsForNothing() {
        var plan = onePerHost().with(service("web")).with(pods(2, web())).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C115")
    void aServiceWithAnEmptySelectorAddsNothing() {
        var plan = onePerHost().with(service("web").selects(Map.of())).with(pods(2, web())).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C116")
    void aServiceOfAnotherNamespaceCountsForNothing() {
        var plan =
                onePerHost()
                        .with(service("web").namespace("other").selects(WEB))
                        .with(pods(2, web()))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C117")
    void selectorsOfServiceAndOwnerHoldTogether() {
        var revision = Map.of("revision", "2");
        var plan =
                onePerHost()
                        .with(service("web").selects(WEB))
                        .with(workload(Kind.REPLICA_SET, "web").selects(revision))
                        .with(node("old"))
                        .with(web().renamed("there").label("revision", "1").onNode("old"))
                        .with(web().renamed("new").labels(revision).ownedBy("ReplicaSet", "web"))
                        .plan();

        assertThat(plan).schedulesAll().puts("new").on("old");
    }

    @Test
    @Tag("C118")
    void aReplicationControllersLabelsReplaceThoseOfServices() {
        var plan =
                onePerHost()
                        .with(service("web").selects(WEB))
                        .with(
                                workload(Kind.REPLICATION_CONTROLLER, "web")
                                        .selects(Map.of("app", "renamed")))
                        .with(pods(2, web().ownedBy("ReplicationController", "web")))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C119")
    void aReplicaSetThatContradictsAServiceSelectsNothing() {
        var plan =
                onePerHost()
                        .with(service("web").selects(WEB))
                        .with(workload(Kind.REPLICA_SET, "web").selects(Map.of("app", "renamed")))
                        .with(pods(2, web().ownedBy("ReplicaSet", "web")))
                        .plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C120")
    void podsOfOneOwnerWithOtherLabelsHaveASelectorOfTheirOwn() {
        var owned = pod("plain").label("set", "one").ownedBy("ReplicaSet", "one");
        var plan =
                onePerHost()
                        .with(service("front").selects(FRONT))
                        .with(workload(Kind.REPLICA_SET, "one").selects(Map.of("set", "one")))
                        .with(node("old"))
                        .with(owned.renamed("there").onNode("old"))
                        .with(owned.renamed("front").labels(FRONT))
                        .with(owned.renamed("plain"))
                        .plan();

        assertThat(plan).schedulesAll().puts("front").on("old").puts("plain").onNewNodes();
    }

    @Test
    @Tag("C121")
    void ownersOfOneNameInTwoNamespacesAreTwo() {
        var here = web().renamed("here").ownedBy("ReplicaSet", "web");
        var there = web().renamed("there").namespace("other").ownedBy("ReplicaSet", "web");
        var plan =
                onePerHost()
                        .with(workload(Kind.REPLICA_SET, "web").selects(WEB))
                        .with(
                                workload(Kind.REPLICA_SET, "web")
                                        .namespace("other")
                                        .selects(Map.of("app", "nobody")))
                        .with(pods(2, here))
                        .with(pods(2, there))
                        .plan();

        assertThat(plan).schedulesAll().launches(2).puts("here-1", "here-2").apart();
    }

    @Test
    @Tag("C122")
    void aPodsOwnConstraintsAreLeftAsTheyAre() {
        var plan =
                onePerHost()
                        .with(service("web").selects(WEB))
                        .with(pods(4, web().spread(ZONE, 1)))
                        .plan();

        assertThat(plan).schedulesAll().launches(3).spreads(ZONE, 1, 1, 2);
    }

    @Test
    @Tag("C123")
    void withoutDefaultsNothingIsDeduced() {
        var plan = cluster().with(service("web").selects(WEB)).with(pods(2, web())).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2").together();
    }

    @Test
    @Tag("C124")
    void thePodsOfOneWorkloadDoNotChangeTheSelectorOfAnother() {
        var api = pod("api").label("app", "api");
        var plan =
                onePerHost()
                        .with(
                                service("web").selects(WEB),
                                service("api").selects(Map.of("app", "api")))
                        .with(pods(2, web()))
                        .with(pods(2, api))
                        .plan();

        assertThat(plan)
                .schedulesAll()
                .launches(2)
                .puts("web-1", "web-2")
                .apart()
                .puts("api-1", "api-2")
                .apart();
    }

    @Test
    @Tag("C125")
    void allFieldsOfADefaultAreKept() {
        var constraint =
                SpreadConstraint.of(ZONE, 2, true, null)
                        .withMinDomains(3)
                        .withPolicies(Inclusion.HONOR, Inclusion.HONOR);
        var plan =
                cluster()
                        .policy(policy -> policy.withDefaultSpread(List.of(constraint)))
                        .with(nodePool("default").requirement(in(ZONE, ZONE_1, ZONE_2)))
                        .with(service("web").selects(WEB))
                        .with(pods(6, web()))
                        .plan();

        assertThat(plan).spreads(ZONE, 2, 2).leavesWaiting(2);
    }

    @Test
    @Tag("C126")
    void workloadsOfOnePassAreEachSpread() {
        var plan =
                onePerHost()
                        .with(
                                service("web").selects(WEB),
                                workload(Kind.REPLICA_SET, "api").selects(Map.of("app", "api")),
                                workload(Kind.STATEFUL_SET, "db").selects(Map.of("app", "db")))
                        .with(pods(3, web()))
                        .with(pods(3, pod("api").label("app", "api").ownedBy("ReplicaSet", "api")))
                        .with(pods(3, pod("db").label("app", "db").ownedBy("StatefulSet", "db")))
                        .plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 3, 3, 3);
    }
}
