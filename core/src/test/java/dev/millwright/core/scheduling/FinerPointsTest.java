package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_A;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.Given.volume;
import static dev.millwright.testing.kit.Given.volumeClaim;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Toleration;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.PodBuilder;
import dev.millwright.testing.kit.Problems;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/// Points that are easy to get wrong.
final class FinerPointsTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    // Order ------------------------------------------------------------------------------------

    /// A cluster with room for one pod of two.
    private static ClusterBuilder roomForOne() {
        return cluster().with(node("n1").podSlots(1));
    }

    @Test
    void ofEqualPodsTheOlderIsServedFirst() {
        var plan =
                roomForOne()
                        .with(pod("a", "1").createdAt(NOON.plusSeconds(1)), pod("b", "1"))
                        .plan();

        assertThat(plan).puts("b").on("n1").puts("a").onNewNodes();
    }

    @Test
    void ofPodsWithEqualCpuTheOneWithMoreMemoryIsServedFirst() {
        var plan =
                roomForOne().with(pod("a", "1").memory("1Gi"), pod("b", "1").memory("2Gi")).plan();

        assertThat(plan).puts("b").on("n1").puts("a").onNewNodes();
    }

    @Test
    void anotherPodJoinsTheNewNodeWithFewestPods() {
        var alone = pod("x", "1.2").labels(WEB).podAntiAffinity(HOSTNAME, WEB);

        var plan =
                cluster()
                        .with(alone.renamed("a"), alone.renamed("b"))
                        .with(pod("c", "100m"), pod("d", "100m"))
                        .plan();

        assertThat(plan).launches(2).puts("a", "b").apart().puts("c", "d").apart();
    }

    @Test
    void theOrderOfPoolsAndTypesAndNodesDoesNotMatter() {
        var types = FakeCatalogue.standard();
        var base = cluster().with(Problems.diverse(40, 11));

        var plan =
                base.selling(types)
                        .with(nodePool("a"), nodePool("b").weight(3))
                        .with(node("n1"), node("n2"))
                        .plan();
        var other =
                base.selling(types.reversed())
                        .with(nodePool("b").weight(3), nodePool("a"))
                        .with(node("n2"), node("n1"))
                        .plan();

        assertThat(other).isEqualTo(plan);
    }

    @Test
    void aNodeThatRefusedForLackOfAFriendIsTriedAgain() {
        var plan =
                cluster()
                        .with(node("n1").cpu("4"))
                        .with(pod("large", "2").podAffinity(HOSTNAME, WEB))
                        .with(pod("friend", "1").labels(WEB))
                        .plan();

        assertThat(plan).launchesNothing().puts("large", "friend").on("n1");
    }

    // Taints -----------------------------------------------------------------------------------

    @Tag("B87")
    @Test
    void aNodeThatPrefersNoPodsIsAvoidedForANewOne() {
        var soft = taint("soft", "", Effect.PREFER_NO_SCHEDULE);

        var plan = cluster().with(node("n1").taint(soft), pod("a")).plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("C99")
    @Test
    void aPoolThatEvictsIsRespectedToo() {
        var evicting = taint("team", "a", Effect.NO_EXECUTE);

        var plan = cluster().with(nodePool("default").taint(evicting), pod("a")).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Untolerated.class);
    }

    @Test
    void tolerationsCompareNumbers() {
        var tier = taint("tier", "5");
        var below = new Toleration("tier", Toleration.Match.LESS_THAN, "9", null);
        var above = new Toleration("tier", Toleration.Match.GREATER_THAN, "9", null);

        var plan =
                cluster()
                        .with(nodePool("default").taint(tier))
                        .with(pod("a").tolerates(below), pod("b").tolerates(above))
                        .plan();

        assertThat(plan).schedules("a").leavesWaiting("b").becauseOf(Refusal.Untolerated.class);
    }

    // Limits -----------------------------------------------------------------------------------

    @Tag("F29")
    @Test
    void moreNodesThanTheLimitAllowLeaveRoomForNone() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("nodes", "1"))
                        .with(node("n1").podSlots(0), node("n2").podSlots(0), pod("a"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Tag("F27")
    @Test
    void aPoolOverItsLimitOfDevicesBuysNothingAtAll() {
        var plan =
                cluster()
                        .with(nodePool("default").limit(GPU_A, "1"))
                        .with(node("n1").podSlots(0).resource(GPU_A, "2"), pod("a"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").becauseOf(Refusal.Limit.class);
    }

    @Tag("F27")
    @Test
    void aPoolAtItsLimitOfDevicesBuysMachinesWithoutThem() {
        var plan =
                cluster()
                        .with(nodePool("default").limit(GPU_A, "2"))
                        .with(node("n1").podSlots(0).resource(GPU_A, "2"), pod("a"))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").doesNotOffer("gpu-vendor-instance-type");
    }

    // Labels of nodes that are there -----------------------------------------------------------

    @Tag("B101")
    @Test
    void aNodeWithoutALabelMeetsItsAbsence() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged())
                        .with(pod("a", "1").requires(notIn(ZONE, ZONE_1)))
                        .with(pod("b", "1").requires(doesNotExist("team")))
                        .plan();

        assertThat(plan).launchesNothing().puts("a", "b").on("n1");
    }

    @Tag("B101")
    @Test
    void aNodeWithALabelDoesNotMeetItsAbsence() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged().label("team", "a"))
                        .with(pod("a").requires(doesNotExist("team")))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B101")
    @Test
    void aNodeInAnotherZoneThanThePodsVolumeIsNotUsed() {
        var plan =
                cluster()
                        .with(node("n1").zone(ZONE_1), node("n2").zone(ZONE_2))
                        .with(volume("disk").zones(ZONE_2), volumeClaim("one").boundTo("disk"))
                        .with(pod("a").claim("one"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n2");
    }

    @Test
    void aPodMaySelectTheNodeClassOfItsPool() {
        var plan =
                cluster()
                        .with(pod("a").nodeSelector("karpenter.test.sh/testnodeclass", "default"))
                        .with(pod("b").nodeSelector("karpenter.test.sh/testnodeclass", "other"))
                        .plan();

        assertThat(plan).schedules("a").leavesWaiting("b").becauseOf(Refusal.Requirement.class);
    }

    // Validation -------------------------------------------------------------------------------

    @Tag("B26")
    @Test
    void everyRequiredTermMustBeValid() {
        var plan =
                cluster()
                        .with(
                                pod("a").requires(in(ZONE, ZONE_1))
                                        .requires(in("karpenter.sh/test", "x")))
                        .plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.Invalid.class);
    }

    @Tag("B26")
    @Test
    void aPreferenceNeedNotBeValid() {
        var plan =
                cluster()
                        .with(
                                pod("a").prefers(1, in("karpenter.sh/test", "x"))
                                        .prefers(1, in(HOSTNAME, "red-node")))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("B26")
    @Test
    void aLabelValueKubernetesWouldRefuseIsInvalid() {
        var plan = cluster().with(pod("a").nodeSelector("team", "-not-valid-")).plan();

        assertThat(plan)
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class)
                .because("-not-valid-");
    }

    @Tag("B132")
    @Test
    void podsOfADeletingNodeAreNotValidatedAgain() {
        var plan =
                cluster()
                        .with(node("n1").markedForDeletion())
                        .with(pod("a").claim("missing").onNode("n1"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    // Contradictions ---------------------------------------------------------------------------

    @Test
    void aPodThatContradictsItselfDoesNotFitANodeWithoutTheLabel() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged())
                        .with(pod("a").nodeSelector(ZONE, ZONE_1).requires(in(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Test
    void aPodThatContradictsItselfOnAKeyNobodyDefinesGetsNoNode() {
        var plan =
                cluster()
                        .with(pod("a").nodeSelector("team", "a").requires(notIn("team", "a")))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Test
    void aDemandOutweighsAWishAgainstIt() {
        assertThat(cluster().with(fussyAbout("tiny")).plan()).launchesNothing().leavesWaiting("a");
        assertThat(cluster().with(fussyAbout("small")).plan())
                .schedulesAll()
                .claimOf("a")
                .requires(FakeCatalogue.SIZE, "small");
    }

    private static PodBuilder fussyAbout(String size) {
        return pod("a").requires(in(FakeCatalogue.SIZE, size))
                .prefers(100, notIn(FakeCatalogue.SIZE, size));
    }

    // Relaxation -------------------------------------------------------------------------------

    @Tag("B46")
    @Test
    void alternativesAreTriedOnNodesThatAreThereToo() {
        var plan =
                cluster()
                        .with(nodePool("default").requirement(in(ARCH, "amd64")))
                        .with(node("n1").label(ARCH, "arm64"))
                        .with(pod("a").requires(in(ZONE, "invalid")).requires(in(ARCH, "arm64")))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B47")
    @Test
    void aNewNodeThatMeetsAWishIsBetterThanANodeThatDoesNot() {
        var plan =
                cluster()
                        .with(node("n1").zone(ZONE_1))
                        .with(pod("a", "1").prefers(1, in(ZONE, ZONE_2)))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2);
    }

    @Tag("F90")
    @Test
    void aThousandWishesAreGivenUp() {
        var plan = cluster().with(Problems.preferring(20)).plan();

        assertThat(plan).schedulesAll().launches(20).inZone("p000001", ZONE_1);
    }
}
