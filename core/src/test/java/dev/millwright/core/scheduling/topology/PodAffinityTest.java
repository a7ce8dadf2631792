package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.label.Selector;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class PodAffinityTest {

    private static final Map<String, String> DATABASE = Map.of("app", "database");

    /// The larger pod comes first, as pods are placed by size.
    private static PodBuilder database() {
        return pod("database").labels(DATABASE).cpu("2");
    }

    private static PodBuilder follower(String key) {
        return pod("follower").podAffinity(key, DATABASE);
    }

    /// A pod that wants to be with its like.
    private static PodBuilder sociable(String key) {
        return pod("web").label("app", "web").podAffinity(key, Map.of("app", "web"));
    }

    @Test
    @Tag("C57")
    void affinityWithoutTermsChangesNothing() {
        var empty = new PodAffinity(List.of(), List.of());
        var bare = pod("bare");
        var plan =
                cluster()
                        .with(
                                bare.placement(
                                        bare.pod()
                                                .placement()
                                                .withPodAffinity(empty)
                                                .withPodAntiAffinity(empty)))
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C58")
    void aPodFollowsAnotherToItsHost() {
        var plan =
                cluster()
                        .with(database(), follower(HOSTNAME).cpu("1"))
                        .with(pods(9, pod("filler")))
                        .plan();

        assertThat(plan).schedulesAll().puts("database", "follower").together();
    }

    @Test
    @Tag("C59")
    void aPodFollowsAnotherToItsArchitectureOnAnotherHost() {
        var apart = Map.of("kind", "apart");
        var plan =
                cluster()
                        .with(
                                database()
                                        .nodeSelector(ARCH, "arm64")
                                        .labels(apart)
                                        .spread(HOSTNAME, 1, apart))
                        .with(follower(ARCH).labels(apart).spread(HOSTNAME, 1, apart))
                        .plan();

        assertThat(plan)
                .schedulesAll()
                .puts("database", "follower")
                .apart()
                .claimOf("follower")
                .requires(ARCH, "arm64");
    }

    @Test
    @Tag("C60")
    void sociablePodsShareOneHost() {
        var plan = cluster().with(pods(3, sociable(HOSTNAME))).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2", "web-3").together();
    }

    @Test
    @Tag("C61")
    void sociablePodsBeyondTheRoomOfTheFirstHostWait() {
        var plan = cluster().with(pods(10, sociable(HOSTNAME))).plan();

        assertThat(plan).launches(1).leavesWaiting(5);
    }

    @Test
    @Tag("C62")
    void sociablePodsDoNotStartASecondHostInOtherZones() {
        var cluster = cluster().with(sociable(HOSTNAME).nodeSelector(ZONE, ZONE_1));
        var first = cluster.plan();
        var second =
                cluster.after(first)
                        .eachNode(NodeBuilder::registered)
                        .with(pods(4, sociable(HOSTNAME).requires(in(ZONE, ZONE_2, ZONE_3))))
                        .plan();

        assertThat(first).schedulesAll();
        assertThat(second).launchesNothing().leavesWaiting(4);
    }

    @Test
    @Tag("C63")
    void sociablePodsShareOneZone() {
        var plan = cluster().with(pods(3, sociable(ZONE))).plan();

        assertThat(plan).schedulesAll().puts("web-1", "web-2", "web-3").together();
    }

    @Test
    @Tag("C64")
    void sociablePodsShareTheZoneTheyAreBoundTo() {
        var plan = cluster().with(pods(8, sociable(ZONE).requires(in(ZONE, ZONE_3)))).plan();

        assertThat(plan).schedulesAll().launches(2).spreads(ZONE, 8).inZone("web-1", ZONE_3);
    }

    @Test
    @Tag("C65")
    void sociablePodsOfDifferentZonesEachStartTheirOwn() {
        var plan =
                cluster()
                        .with(pods(2, sociable(ZONE).renamed("one").nodeSelector(ZONE, ZONE_1)))
                        .with(pods(2, sociable(ZONE).renamed("two").nodeSelector(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).schedulesAll().launches(2).spreads(ZONE, 2, 2);
    }

    @Test
    @Tag("C66")
    void aWishToFollowMayBeInVain() {
        var plan = cluster().with(pod("lonely").prefersPodAffinity(50, HOSTNAME, DATABASE)).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C67")
    void aWishToStayApartMayBeInVain() {
        var shy = pod("shy").labels(DATABASE).prefersPodAntiAffinity(10, ZONE, DATABASE);
        var plan = cluster().with(pods(10, shy)).plan();

        assertThat(plan).schedulesAll();
    }

    @Test
    @Tag("C77")
    void aWishToFollowGivesWayToARequiredSpread() {
        var apart = Map.of("kind", "apart");
        var plan =
                cluster()
                        .with(database().labels(apart).spread(HOSTNAME, 1, apart))
                        .with(
                                pods(
                                        3,
                                        pod("web")
                                                .labels(apart)
                                                .prefersPodAffinity(50, HOSTNAME, DATABASE)
                                                .spread(HOSTNAME, 1, apart)))
                        .plan();

        assertThat(plan).schedulesAll().puts("database", "web-1", "web-2", "web-3").apart();
    }

    @Test
    @Tag("C79")
    void aPodThatFollowsNobodyWaits() {
        var plan = cluster().with(pods(5, follower(ZONE))).plan();

        assertThat(plan).launchesNothing().leavesWaiting(5);
    }

    @Test
    @Tag("C80")
    void aPodFollowsToAZoneOnceItIsDecided() {
        var cluster = cluster().with(database()).with(pods(3, follower(ZONE).cpu("1500m")));
        var first = cluster.plan();
        var second = cluster.after(first).eachNode(NodeBuilder::registered).plan();

        assertThat(first).schedules("database").leavesWaiting(3);
        assertThat(second).schedulesAll();
    }

    @Test
    @Tag("C81")
    void aPodFollowsToAZoneThatIsFixed() {
        var plan =
                cluster()
                        .with(database().nodeSelector(ZONE, ZONE_1))
                        .with(pods(3, follower(ZONE).cpu("1500m")))
                        .plan();

        assertThat(plan)
                .schedulesAll()
                .puts("follower-1", "follower-2", "follower-3")
                .inZone(ZONE_1);
    }

    @Test
    @Tag("C82")
    void aChainOfFollowersSharesOneHost() {
        var plan =
                cluster()
                        .with(
                                link("ui", "cache"),
                                link("cache", "web"),
                                link("web", "db"),
                                pod("db").label("app", "db"))
                        .plan();

        assertThat(plan).schedulesAll().puts("ui", "cache", "web", "db").together();
    }

    private static PodBuilder link(String app, String next) {
        return pod(app).label("app", app).podAffinity(HOSTNAME, Map.of("app", next));
    }

    @Test
    @Tag("C83")
    void aChainWithoutAnEndWaits() {
        var plan = cluster().with(link("web", "db"), link("db", "missing")).plan();

        assertThat(plan).launchesNothing().leavesWaiting(2);
    }

    private static PodAffinity.Term term(List<String> namespaces, Selector namespaceSelector) {
        return new PodAffinity.Term(
                HOSTNAME, Selector.ofLabels(DATABASE), namespaces, namespaceSelector);
    }

    @Test
    @Tag("C84")
    void aPodDoesNotFollowOneOfAnotherNamespace() {
        var plan =
                cluster()
                        .with(database().namespace("other"))
                        .with(pod("follower").podAffinity(term(List.of(), null)))
                        .plan();

        assertThat(plan).schedules("database").leavesWaiting("follower");
    }

    @Test
    @Tag("C85")
    void aPodFollowsOneOfAListedNamespace() {
        var plan =
                cluster()
                        .with(database().namespace("other"))
                        .with(pod("follower").podAffinity(term(List.of("other"), null)))
                        .plan();

        assertThat(plan).schedulesAll().puts("database", "follower").together();
    }

    @Test
    @Tag("C86")
    void anEmptyNamespaceSelectorMeansAllNamespaces() {
        var plan =
                cluster()
                        .with(database().namespace("other"))
                        .with(pod("follower").podAffinity(term(List.of(), Selector.EVERYTHING)))
                        .plan();

        assertThat(plan).schedulesAll().puts("database", "follower").together();
    }

    @Test
    @Tag("C58")
    void aPodFollowsOneThatRunsAlready() {
        var plan =
                cluster()
                        .with(node("old"), node("older"))
                        .with(database().onNode("older"))
                        .with(follower(HOSTNAME))
                        .plan();

        assertThat(plan).schedulesAll().puts("follower").on("older");
    }
}
