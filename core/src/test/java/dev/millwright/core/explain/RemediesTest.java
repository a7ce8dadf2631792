package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.NodePoolBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What might be done about each reason for which the pod `web` waits, in the order in which it is
/// found.
final class RemediesTest {

    private static final Taint TEAM = taint("team", "data");
    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final PodBuilder PLAIN = pod("web", "3");

    private ClusterBuilder cluster =
            cluster()
                    .selling(
                            instanceType("small").cpu("4").memory("8Gi").withoutOverhead(),
                            instanceType("large").cpu("16").memory("32Gi").withoutOverhead());

    private List<String> advised(PodBuilder pod, WaitReason reason) {
        return Remedies.of(cluster.with(pod).problem(), pod.pod(), reason).stream()
                .map(each -> each.object(pod.pod()) + ": " + each.describe())
                .toList();
    }

    private List<String> advised(PodBuilder pod, Refusal refusal) {
        return advised(
                pod, new WaitReason.Refused(List.of(new WaitReason.PoolRefusal("p", refusal))));
    }

    private List<String> advised(NodePoolBuilder pool, PodBuilder pod, Refusal refusal) {
        cluster = cluster.with(pool);
        return advised(pod, refusal);
    }

    private static NodePoolBuilder pool() {
        return nodePool("p");
    }

    private static String onPod(String what) {
        return "Pod default/web: " + what;
    }

    private static String onPool(String what) {
        return "NodePool p: " + what;
    }

    private static Refusal.NoInstanceType noType(String... missing) {
        return new Refusal.NoInstanceType(
                true,
                false,
                true,
                Requirements.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.parse(missing));
    }

    private static Refusal disjoint(String key, String wanted, String... offered) {
        return new Refusal.Requirement(
                new Mismatch.Disjoint(key, in(key, wanted), in(key, offered)));
    }

    // Reasons that no pool gives

    @Test
    void whatWillChangeByItselfNeedsNoAdvice() {
        assertThat(advised(PLAIN, new WaitReason.NoNodePools())).isEmpty();
        assertThat(advised(PLAIN, new WaitReason.ReservationPending("p"))).isEmpty();
        assertThat(advised(PLAIN, new WaitReason.ResourceClaimsUnsupported())).isEmpty();
    }

    @Test
    void aPodThatForbidsPoolsAsksNothingOfThem() {
        assertThat(advised(PLAIN, new WaitReason.OptedOut()))
                .containsExactly(onPod("ask nothing of label karpenter.sh/nodepool"));
    }

    @Test
    void minValuesThatWereLostAreLowered() {
        cluster =
                cluster.with(
                        pool().minValues(LabelKeys.INSTANCE_TYPE, 3),
                        nodePool("other").minValues(LabelKeys.ARCH, 3));

        assertThat(advised(PLAIN, new WaitReason.MinValuesLost("p", "too few")))
                .containsExactly(
                        onPool("ask for at least 2 values of node.kubernetes.io/instance-type"),
                        onPool("take minValues of node.kubernetes.io/instance-type away"));
    }

    @Test
    void aPoolThatIsGoneIsNotAdvisedAbout() {
        assertThat(advised(PLAIN, new WaitReason.MinValuesLost("gone", ""))).isEmpty();
        assertThat(advised(PLAIN, new WaitReason.NodePoolsWithoutTypes(List.of("gone")))).isEmpty();
        assertThat(advised(PLAIN, new Refusal.NodeLimit())).isEmpty();
    }

    @Test
    void whatAPodMayNotAskForIsDropped() {
        var pod =
                pod("web")
                        .nodeSelector("karpenter.sh/own", "a")
                        .requires(in(LabelKeys.ARCH, "amd64"), exists(LabelKeys.HOSTNAME));

        assertThat(advised(pod, new WaitReason.Invalid("fault")))
                .contains(
                        onPod("ask nothing of label karpenter.sh/own"),
                        onPod("ask nothing of label kubernetes.io/hostname"))
                .doesNotContain(onPod("ask nothing of label kubernetes.io/arch"));
    }

    @Test
    void requirementsThatLeaveNoTypeAreMendedOrDropped() {
        cluster = cluster.with(pool().requirement(in(LabelKeys.INSTANCE_TYPE, "smal")));

        assertThat(advised(PLAIN, new WaitReason.NodePoolsWithoutTypes(List.of("p"))))
                .containsExactly(
                        onPool("allow node.kubernetes.io/instance-type=small instead of smal"),
                        onPool("allow node.kubernetes.io/instance-type=large"),
                        onPool("allow node.kubernetes.io/instance-type=small"),
                        onPool("require nothing of label node.kubernetes.io/instance-type"));
        assertThat(advised(PLAIN, new Refusal.NoTypesLeft()))
                .contains(onPool("allow node.kubernetes.io/instance-type=small"));
    }

    // Slips of the pen

    @Test
    void aLabelThatNobodyHasIsTakenForOneThatAPoolHas() {
        assertThat(
                        advised(
                                pool().label("example.com/tier", "gold"),
                                pod("web").nodeSelector("example.com/teir", "gold"),
                                noType()))
                .startsWith(onPod("ask for label example.com/tier instead of example.com/teir"));
    }

    @Test
    void aLabelThatNobodyHasIsTakenForAWellKnownOne() {
        assertThat(
                        advised(
                                pool(),
                                pod("web").requires(in("kubernetes.io/arhc", "amd64")),
                                noType()))
                .startsWith(
                        onPod("ask for label kubernetes.io/arch instead of kubernetes.io/arhc"));
    }

    @Test
    void aLabelThatAPoolHasIsNoSlip() {
        assertThat(
                        advised(
                                pool().label("kubernetes.io/arhc", "amd64"),
                                pod("web").nodeSelector("kubernetes.io/arhc", "amd64"),
                                noType()))
                .containsExactly(onPod("ask nothing of label kubernetes.io/arhc"));
    }

    @Test
    void aLabelThatThePodForbidsIsNoSlip() {
        assertThat(
                        advised(
                                pool(),
                                pod("web").requires(doesNotExist("kubernetes.io/arhc")),
                                noType()))
                .containsExactly(onPod("ask nothing of label kubernetes.io/arhc"));
    }

    @Test
    void aValueThatIsKnownNowhereIsTakenForOneThatIs() {
        assertThat(advised(pool(), pod("web").nodeSelector(LabelKeys.ARCH, "amd46"), noType()))
                .startsWith(onPod("ask for kubernetes.io/arch=amd64"));
    }

    @Test
    void anOldSpellingOfALabelIsUnderstood() {
        assertThat(
                        advised(
                                pool(),
                                pod("web").nodeSelector("beta.kubernetes.io/arch", "amd46"),
                                noType()))
                .startsWith(onPod("ask for beta.kubernetes.io/arch=amd64"));
    }

    @Test
    void aValueThatIsKnownSomewhereIsNoSlip() {
        assertThat(
                        advised(
                                pool(),
                                pod("web").nodeSelector(LabelKeys.ZONE, "test-zone-1"),
                                noType()))
                .containsExactly(onPod("ask nothing of label topology.kubernetes.io/zone"));
    }

    // Taints

    @ParameterizedTest
    @CsvSource({
        "team, EQUAL, other, ''",
        "team, EQUAL, data, ' instead of team=data'",
        "team, EQUAL, dta, ' instead of team=dta'",
        "taem, EQUAL, data, ' instead of taem=data'",
        "taem, EXISTS, '', ' instead of taem'",
        "tier, EQUAL, data, ''"
    })
    void aTaintIsToleratedInPlaceOfATolerationThatWasPerhapsMeantForIt(
            String key, Toleration.Match match, String value, String instead) {
        var pod = pod("web").tolerates(new Toleration(key, match, value, TEAM.effect()));

        assertThat(advised(pool().taint(TEAM), pod, new Refusal.Untolerated(TEAM)))
                .containsExactly(
                        onPod("tolerate taint team=data:NoSchedule" + instead),
                        onPool("take away the taint team=data:NoSchedule"));
    }

    // Labels

    @Test
    void aLabelThatThePoolLacksIsRenamedDroppedOrAdded() {
        var refusal = new Refusal.Requirement(new Mismatch.Undefined("disk", "disks"));

        assertThat(advised(pool(), pod("web").nodeSelector("disk", "ssd"), refusal))
                .containsExactly(
                        onPod("ask for label disks instead of disk"),
                        onPod("ask nothing of label disk"),
                        onPool("give its nodes the label disk=ssd"));
    }

    @Test
    void aLabelIsNotAddedWithoutItsValue() {
        var refusal = new Refusal.Requirement(new Mismatch.Undefined("disk", null));

        assertThat(advised(pool(), pod("web").requires(exists("disk")), refusal))
                .containsExactly(onPod("ask nothing of label disk"));
    }

    @Test
    void aLabelThatBelongsToUsIsNotAdded() {
        var refusal = new Refusal.Requirement(new Mismatch.Undefined("karpenter.sh/x", null));

        assertThat(advised(pool(), pod("web").nodeSelector("karpenter.sh/x", "a"), refusal))
                .containsExactly(onPod("ask nothing of label karpenter.sh/x"));
    }

    @Test
    void aLabelByWhichAnotherPoolIsChosenIsNotAdded() {
        var refusal = new Refusal.Requirement(new Mismatch.Undefined("team", null));
        cluster = cluster.with(nodePool("other").label("team", "a"));

        assertThat(advised(pool(), pod("web").nodeSelector("team", "a"), refusal))
                .doesNotContain(onPool("give its nodes the label team=a"));
        assertThat(advised(pod("web").nodeSelector("team", "b"), refusal))
                .contains(onPool("give its nodes the label team=b"));
    }

    @Test
    void aDemandThatContradictsItselfIsDropped() {
        var refusal = new Refusal.Requirement(new Mismatch.Contradiction("disk"));

        assertThat(advised(pool(), PLAIN, refusal))
                .containsExactly(onPod("ask nothing of label disk"));
    }

    @Test
    void aValueThatThePoolExcludesIsExchangedDroppedOrAdmitted() {
        assertThat(
                        advised(
                                pool().requirement(in("zone", "zone-a", "zone-b", "zone-c")),
                                PLAIN,
                                disjoint("zone", "zone-x", "zone-a", "zone-b", "zone-c")))
                .containsExactly(
                        onPod("ask for zone=zone-a"),
                        onPod("ask for zone=zone-b"),
                        onPod("ask nothing of label zone"),
                        onPool("allow zone=zone-x"),
                        onPool("require nothing of label zone"));
    }

    @Test
    void aValueThatLooksLikeNoneOfThosePoolHasIsNotExchanged() {
        var pool = pool().requirement(in("rack", "7"));

        assertThat(advised(pool, PLAIN, disjoint("zone", "east", "north-west")))
                .containsExactly(onPod("ask nothing of label zone"));
    }

    @Test
    void whatIsExcludedIsNotTakenForAValue() {
        var offered =
                new Refusal.Requirement(
                        new Mismatch.Disjoint(
                                "zone", in("zone", "zone-a"), notIn("zone", "zone-b")));
        var wanted =
                new Refusal.Requirement(
                        new Mismatch.Disjoint(
                                "zone", notIn("zone", "zone-a"), in("zone", "zone-b")));

        assertThat(advised(pool().requirement(in("zone", "zone-b")), PLAIN, offered))
                .containsExactly(
                        onPod("ask nothing of label zone"),
                        onPool("allow zone=zone-a"),
                        onPool("require nothing of label zone"));
        assertThat(advised(PLAIN, wanted))
                .containsExactly(
                        onPod("ask nothing of label zone"),
                        onPool("require nothing of label zone"));
    }

    @Test
    void onlyThePoolComesToAVolume() {
        cluster = cluster.with(pool().requirement(in("zone", "a")));

        assertThat(
                        advised(
                                PLAIN,
                                new Refusal.Volume(
                                        new Mismatch.Disjoint(
                                                "zone", in("zone", "b"), in("zone", "a")))))
                .containsExactly(
                        onPod("ask nothing of label zone"),
                        onPool("allow zone=b"),
                        onPool("require nothing of label zone"));
        assertThat(advised(PLAIN, new Refusal.Volume(new Mismatch.Undefined("zone", null))))
                .containsExactly(onPod("ask nothing of label zone"));
        assertThat(advised(PLAIN, new Refusal.Volume(new Mismatch.Contradiction("zone"))))
                .containsExactly(onPod("ask nothing of label zone"));
    }

    // Other pods

    @Test
    void ofATopologyEverythingThatBindsThePodIsGivenUp() {
        var pod =
                pod("web")
                        .labels(WEB)
                        .nodeSelector("disk", "ssd")
                        .spread("zone", 1)
                        .podAffinity("zone", WEB)
                        .podAntiAffinity("zone", WEB);
        var refusal =
                new Refusal.Topology(
                        "spread", "zone", new TreeMap<>(), exists("zone"), exists("z"));

        assertThat(advised(pool().requirement(in("zone", "a")), pod, refusal))
                .containsExactly(
                        onPod("spread over zone with whenUnsatisfiable: ScheduleAnyway"),
                        onPod("require no podAffinity over zone"),
                        onPod("require no podAntiAffinity over zone"),
                        onPod("ask nothing of label disk"),
                        onPool("require nothing of label zone"));
    }

    @Test
    void whereAllTypesAreTooSmallThePodAsksForLessOrForFewerThings() {
        var pod =
                pod("web", "20")
                        .labels(WEB)
                        .nodeSelector("disk", "ssd")
                        .requires(in("rack", "7"))
                        .spread("zone", 1)
                        .hostPort(80);
        cluster = cluster.with(node("a").cpu("19"));

        assertThat(advised(pool().requirement(in("zone", "a")), pod, noType("cpu", "4")))
                .containsExactly(
                        onPod("ask for at most 16 of cpu"),
                        onPod("spread over zone with whenUnsatisfiable: ScheduleAnyway"),
                        onPod("ask nothing of label disk"),
                        onPod("ask nothing of label rack"),
                        onPool("require nothing of label zone"),
                        onPod("take no hostPort (found [80])"),
                        onPod("ask for at most 19 of cpu"));
    }

    @Test
    void whereNoTypeWillDoNeighboursAndMinValuesAreGivenUpToo() {
        var pod = pod("web").labels(WEB).podAffinity("zone", WEB).podAntiAffinity("rack", WEB);

        assertThat(advised(pool().minValues("zone", 2), pod, noType()))
                .containsExactly(
                        onPod("require no podAntiAffinity over rack"),
                        onPod("require no podAffinity over zone"),
                        onPool("ask for at least 1 values of zone"),
                        onPool("take minValues of zone away"),
                        onPool("require nothing of label zone"));
    }

    @Test
    void aSpreadThatIsAWishAlreadyNeedsNoLoosening() {
        var pod = pod("web").labels(WEB).softSpread("zone", 1);

        assertThat(advised(pool(), pod, noType())).isEmpty();
    }

    @Test
    void theLessIsGivenUpTheEarlierItIsAdvised() {
        var refusal = noType("cpu", "1", "memory", "2Gi");
        cluster = cluster.with(pool());
        var pod = pod("web", "4").memory("4Gi").pod();
        var changes =
                Remedies.of(
                        cluster.problem(),
                        pod,
                        new WaitReason.Refused(List.of(new WaitReason.PoolRefusal("p", refusal))));

        assertThat(changes)
                .containsExactly(
                        new PodChange.AskForLess(
                                Resources.parse("cpu", "3", "memory", "2Gi"), 0.75));
    }

    @Test
    void hostPortsThatAreTakenAreGivenUp() {
        assertThat(advised(pool(), pod("web").hostPort(80), new Refusal.HostPorts(List.of("80"))))
                .containsExactly(onPod("take no hostPort (found [80])"));
    }

    @Test
    void whereNoTypeAttachesEnoughVolumesThePoolRequiresLess() {
        assertThat(
                        advised(
                                pool().requirement(in("zone", "a")),
                                PLAIN,
                                new Refusal.VolumeLimit("ebs", 30, 25)))
                .containsExactly(onPool("require nothing of label zone"));
    }

    @Test
    void minValuesAreLoweredToWhatIsLeft() {
        assertThat(
                        advised(
                                pool().minValues("zone", 3),
                                PLAIN.hostPort(80),
                                new Refusal.MinValues("zone", 3, 1)))
                .containsExactly(
                        onPool("ask for at least 1 values of zone"),
                        onPool("ask for at least 2 values of zone"),
                        onPool("take minValues of zone away"),
                        onPod("take no hostPort (found [80])"));
    }

    // Limits

    @Test
    void aLimitOfNodesIsRaisedByOneAndThenByPowersOfEight() {
        cluster = cluster.with(node("a").cpu("2"));

        assertThat(advised(pool().limit("nodes", "3"), PLAIN, new Refusal.NodeLimit()))
                .containsExactly(
                        onPool("raise the limit of nodes to 4"),
                        onPool("raise the limit of nodes to 11"),
                        onPool("raise the limit of nodes to 67"),
                        onPod("ask for at most 2 of cpu"));
    }

    @Test
    void aLimitIsRaisedByTheLeastMachineThenByMoreOfIt() {
        var limit = new Refusal.Limit(Resources.parse("cpu", "1"));

        assertThat(advised(pool().limit("cpu", "10"), PLAIN, limit))
                .containsExactly(
                        onPool("raise the limit of cpu to 13"),
                        onPool("raise the limit of cpu to 17"),
                        onPool("raise the limit of cpu to 21"),
                        onPool("raise the limit of cpu to 25"),
                        onPool("raise the limit of cpu to 33"),
                        onPool("raise the limit of cpu to 41"),
                        onPool("raise the limit of cpu to 57"),
                        onPool("raise the limit of cpu to 73"),
                        onPool("raise the limit of cpu to 105"),
                        onPool("raise the limit of cpu to 137"),
                        onPool("raise the limit of cpu to 201"),
                        onPool("raise the limit of cpu to 265"),
                        onPool("raise the limit of cpu to 26"),
                        onPool("raise the limit of cpu to 138"),
                        onPool("raise the limit of cpu to 1034"));
    }

    @Test
    void onlyLimitsThatStandInTheWayAreRaised() {
        var limit = new Refusal.Limit(Resources.parse("cpu", "1", "memory", "8Gi"));

        assertThat(advised(pool().limit("cpu", "10").limit("memory", "20Gi"), PLAIN, limit))
                .first()
                .isEqualTo(onPool("raise the limit of cpu to 13"));
    }

    @Test
    void aTypeThatIsTooSmallForThePodRaisesNoLimit() {
        var limit = new Refusal.Limit(Resources.parse("cpu", "1"));

        assertThat(advised(pool().limit("cpu", "10"), pod("web", "5"), limit))
                .first()
                .isEqualTo(onPool("raise the limit of cpu to 25"));
    }

    @Test
    void aLimitMayBeMetByAskingForLess() {
        var limit = new Refusal.Limit(Resources.parse("cpu", "4"));

        assertThat(advised(pool().limit("cpu", "4"), pod("web", "6").memory("1Gi"), limit))
                .contains(onPod("ask for at most 4 of cpu"));
    }

    @Test
    void theTypeThatNeedsTheLeastSacrificeIsMeant() {
        cluster =
                cluster()
                        .selling(
                                instanceType("a").cpu("4").memory("8Gi").withoutOverhead(),
                                instanceType("b").cpu("8").memory("6Gi").withoutOverhead(),
                                instanceType("c").cpu("16").memory("9Gi").withoutOverhead());
        var limit = new Refusal.Limit(Resources.parse("cpu", "8"));

        assertThat(advised(pool().limit("cpu", "8"), pod("web", "8").memory("8Gi"), limit))
                .contains(onPod("ask for at most 6Gi of memory"))
                .doesNotContain(onPod("ask for at most 4 of cpu"));
    }

    @Test
    void onlyATypeThatTheLimitStillAllowsIsReckonedWith() {
        var limit = new Refusal.Limit(Resources.parse("cpu", "4"));

        assertThat(advised(pool().limit("cpu", "4"), pod("web", "20"), limit))
                .contains(onPod("ask for at most 4 of cpu"))
                .doesNotContain(onPod("ask for at most 16 of cpu"));
    }

    @Test
    void whereALimitIsReachedMinValuesAndHostPortsAreGivenUpToo() {
        var limit = new Refusal.Limit(Resources.parse("cpu", "4"));
        var pool = pool().limit("cpu", "4").minValues("zone", 2);

        assertThat(advised(pool, pod("web", "3").hostPort(80), limit))
                .contains(
                        onPool("take minValues of zone away"),
                        onPod("take no hostPort (found [80])"));
    }
}
