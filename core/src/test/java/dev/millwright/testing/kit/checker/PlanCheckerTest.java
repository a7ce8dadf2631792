package dev.millwright.testing.kit.checker;

import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Plan.ExistingPlacement;
import dev.millwright.core.scheduling.Plan.WaitingPod;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.checker.Violation.Rule;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A judge that never objects is worth nothing: each test spoils a good plan in one way.
class PlanCheckerTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    private static ObjectName name(String pod) {
        return new ObjectName("default", pod);
    }

    private static List<Rule> rules(ClusterBuilder cluster, Plan plan) {
        return PlanChecker.check(cluster.problem(), plan).stream().map(Violation::rule).toList();
    }

    /// The cluster's own plan with its first claim changed.
    private static Plan spoilt(ClusterBuilder cluster, UnaryOperator<PlannedClaim> change) {
        var plan = cluster.plan();
        var claims = new ArrayList<>(plan.claims());
        claims.set(0, change.apply(claims.getFirst()));
        return withClaims(plan, claims);
    }

    private static Plan withClaims(Plan plan, List<PlannedClaim> claims) {
        var price = claims.stream().mapToDouble(PlannedClaim::pricePerHour).sum();
        return new Plan(claims, plan.existing(), plan.waiting(), price, 0, plan.packing());
    }

    /// All pods of the cluster on one node that is there.
    private static Plan on(ClusterBuilder cluster, String node, String... pods) {
        var plan = cluster.plan();
        var names = List.of(pods).stream().map(PlanCheckerTest::name).toList();
        return new Plan(
                List.of(),
                List.of(new ExistingPlacement(node, names)),
                List.of(),
                0,
                0,
                plan.packing());
    }

    private static PlannedClaim with(
            PlannedClaim claim, Requirements requirements, List<TypeOption> types) {
        return new PlannedClaim(
                claim.nodePool(),
                requirements,
                types,
                claim.pods(),
                claim.requests(),
                claim.reservationIds(),
                claim.isMinValuesRelaxed());
    }

    /// All pods of the plan's claims together on the first of them.
    private static Plan merged(ClusterBuilder cluster) {
        var plan = cluster.plan();
        var first = plan.claims().getFirst();
        var pods = plan.claims().stream().flatMap(claim -> claim.pods().stream()).toList();
        var merged =
                new PlannedClaim(
                        first.nodePool(),
                        first.requirements(),
                        first.types(),
                        pods,
                        first.requests(),
                        List.of(),
                        false);
        return withClaims(plan, List.of(merged));
    }

    @Test
    void aGoodPlanHasNoViolations() {
        var cluster = cluster().with(pods(7, pod("web").cpu("1").labels(WEB).spread(ZONE, 1)));

        assertThat(PlanChecker.check(cluster.problem(), cluster.plan())).isEmpty();
    }

    @Test
    void aPodWithoutAnswerIsMissed() {
        var cluster = cluster().with(pod("a"), pod("b"));
        var plan = new Plan(List.of(), List.of(), List.of(), 0, 0, cluster.plan().packing());

        assertThat(rules(cluster, plan)).containsExactly(Rule.ACCOUNT, Rule.ACCOUNT);
    }

    @Test
    void aPodWithTwoAnswersIsNoticed() {
        var cluster = cluster().with(pod("a"));
        var plan = cluster.plan();
        var twice =
                new Plan(
                        plan.claims(),
                        List.of(),
                        List.of(new WaitingPod(name("a"), new WaitReason.OptedOut())),
                        plan.pricePerHour(),
                        0,
                        plan.packing());

        assertThat(rules(cluster, twice)).containsExactly(Rule.ACCOUNT);
    }

    @Test
    void aNodeThatIsGoingTakesNobody() {
        var cluster = cluster().with(node("old").markedForDeletion()).with(pod("a"));

        assertThat(rules(cluster, on(cluster, "old", "a"))).contains(Rule.DESTINATION);
    }

    @Test
    void aTaintIsNotOverlooked() {
        var cluster = cluster().with(node("old").taint(taint("dedicated", "gold"))).with(pod("a"));

        assertThat(rules(cluster, on(cluster, "old", "a"))).containsExactly(Rule.TAINTS);
    }

    @Test
    void aNodeInAnotherZoneIsNotWhatWasAskedFor() {
        var cluster =
                cluster().with(node("old").zone(ZONE_1)).with(pod("a").nodeSelector(ZONE, ZONE_2));

        assertThat(rules(cluster, on(cluster, "old", "a"))).containsExactly(Rule.REQUIREMENTS);
    }

    @Test
    void daemonsThatAreStillToComeNeedRoom() {
        var cluster =
                cluster()
                        .with(node("old").cpu("2"))
                        .with(daemonSet("agent").cpu("1"))
                        .with(pod("a").cpu("1500m"));

        assertThat(rules(cluster, on(cluster, "old", "a"))).containsExactly(Rule.RESOURCES);
    }

    @Test
    void twoPodsCannotShareAPort() {
        var cluster = cluster().with(node("old")).with(pods(2, pod("web").hostPort(80)));

        assertThat(rules(cluster, on(cluster, "old", "web-1", "web-2"))).contains(Rule.HOST_PORTS);
    }

    @Test
    void aTypeThatIsTooSmallIsNoOption() {
        var cluster = cluster().with(pods(2, pod("web").cpu("10")));

        assertThat(rules(cluster, merged(cluster))).contains(Rule.OFFERINGS, Rule.REQUESTS);
    }

    @Test
    void aPriceNobodyAsksIsNoOption() {
        var cluster = cluster().with(pod("a"));
        var plan =
                spoilt(
                        cluster,
                        claim ->
                                with(
                                        claim,
                                        claim.requirements(),
                                        claim.types().stream()
                                                .map(
                                                        type ->
                                                                new TypeOption(
                                                                        type.name(),
                                                                        type.zone(),
                                                                        type.capacityType(),
                                                                        type.pricePerHour() / 2,
                                                                        type.allocatable()))
                                                .toList()));

        assertThat(rules(cluster, plan)).contains(Rule.OFFERINGS);
    }

    @Test
    void theDearestTypeDoesNotComeFirst() {
        var cluster = cluster().with(pod("a"));
        var plan =
                spoilt(
                        cluster,
                        claim -> with(claim, claim.requirements(), claim.types().reversed()));

        assertThat(rules(cluster, plan)).contains(Rule.TYPE_ORDER);
    }

    @Test
    void aTypeThatWouldDoMustBeListed() {
        var cluster = cluster().with(pod("a"));
        var plan =
                spoilt(
                        cluster,
                        claim -> with(claim, claim.requirements(), claim.types().subList(0, 1)));

        assertThat(rules(cluster, plan)).contains(Rule.FLEXIBILITY);
    }

    @Test
    void aClaimForgetsNoDemandOfItsPods() {
        var cluster = cluster().with(pod("a").requires(in(ZONE, ZONE_1)));
        var plan =
                spoilt(
                        cluster,
                        claim -> with(claim, claim.requirements().without(ZONE), claim.types()));

        assertThat(rules(cluster, plan)).contains(Rule.REQUIREMENTS);
    }

    @Test
    void claimsTogetherStayWithinThePoolsLimit() {
        var open = cluster().with(pods(2, pod("web").cpu("3")));
        var bounded = open.with(nodePool("default").limit("cpu", "7"));

        assertThat(rules(bounded, open.plan())).contains(Rule.LIMITS);
    }

    @Test
    void minValuesAreCounted() {
        var open = cluster().with(pod("a").cpu("10"));
        var picky = open.with(nodePool("default").minValues("node.kubernetes.io/instance-type", 2));

        assertThat(rules(picky, open.plan())).contains(Rule.MIN_VALUES);
    }

    @Test
    void podsThatRepelEachOtherDoNotShareANode() {
        var cluster =
                cluster().with(pods(2, pod("web").labels(WEB).podAntiAffinity(HOSTNAME, WEB)));

        assertThat(rules(cluster, merged(cluster))).contains(Rule.ANTI_AFFINITY);
    }

    @Test
    void aPodThatStaysRepelsOneThatComes() {
        var cluster =
                cluster()
                        .with(node("old"))
                        .with(pod("there").podAntiAffinity(HOSTNAME, WEB).onNode("old"))
                        .with(pod("web").labels(WEB));

        assertThat(rules(cluster, on(cluster, "old", "web"))).containsExactly(Rule.ANTI_AFFINITY);
    }

    @Test
    void aFollowerIsNotLeftAlone() {
        var cluster =
                cluster()
                        .with(node("old"), node("other"))
                        .with(pod("there").labels(WEB).onNode("other"))
                        .with(pod("a").podAffinity(HOSTNAME, WEB));

        assertThat(rules(cluster, on(cluster, "old", "a"))).containsExactly(Rule.AFFINITY);
    }

    @Test
    void podsAreNotCrowdedAgainstTheirSpread() {
        var cluster = cluster().with(pods(2, pod("web").labels(WEB).spread(HOSTNAME, 1)));

        assertThat(rules(cluster, merged(cluster))).contains(Rule.SPREAD);
    }

    @Test
    void aZoneIsNotFilledWhileOthersAreEmpty() {
        var cluster = cluster().with(pods(3, pod("web").labels(WEB).spread(ZONE, 1)));

        assertThat(rules(cluster, merged(cluster))).contains(Rule.SPREAD);
    }

    @Test
    void aSpreadPodsZoneIsDecided() {
        var cluster = cluster().with(pod("web").labels(WEB).spread(ZONE, 1));
        var plan =
                spoilt(
                        cluster,
                        claim ->
                                with(
                                        claim,
                                        claim.requirements()
                                                .replace(Requirement.in(ZONE, ZONE_1, ZONE_2)),
                                        claim.types()));

        assertThat(rules(cluster, plan)).contains(Rule.TOPOLOGY_KEY);
    }

    @Test
    void theSumOfPricesIsTheSum() {
        var cluster = cluster().with(pod("a"));
        var plan = cluster.plan();
        var cheap = new Plan(plan.claims(), List.of(), List.of(), 0.01, 0.02, plan.packing());

        assertThat(rules(cluster, cheap)).containsExactly(Rule.PRICE, Rule.PRICE);
    }

    @Test
    void aPodThatPlainlyFitsDoesNotWait() {
        var cluster = cluster().with(node("old")).with(pod("a"));
        var plan =
                new Plan(
                        List.of(),
                        List.of(),
                        List.of(new WaitingPod(name("a"), new WaitReason.Refused(List.of()))),
                        0,
                        0,
                        cluster.plan().packing());

        assertThat(rules(cluster, plan)).containsExactly(Rule.OVERLOOKED, Rule.OVERLOOKED);
    }
}
