package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.doesNotExist;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.Given.volume;
import static dev.millwright.testing.kit.Given.volumeClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PodExplanation.Verdict;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.InstanceTypeBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Why the pod `web` waits, and what would help.
final class WaitingPodTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final InstanceTypeBuilder SMALL =
            instanceType("small").cpu("4").memory("8Gi").pods(20);
    private static final InstanceTypeBuilder LARGE =
            instanceType("large").cpu("16").memory("32Gi").pods(50);

    private ClusterBuilder cluster = cluster();

    private String told() {
        var problem = cluster.problem();
        var web = new ObjectName("default", "web");
        var pod =
                problem.snapshot().pods().stream()
                        .filter(each -> each.name().equals(web))
                        .findFirst()
                        .orElseThrow();
        var explanation = new PodExplainer(problem).explain(web);
        var verdict =
                switch (explanation.verdict()) {
                    case Verdict.Settled(var node) -> "runs on " + node;
                    case Verdict.Fits(var node) -> "fits " + node;
                    case Verdict.GetsNode(var pool, var type, var zone, var price) ->
                            String.format(
                                    Locale.ROOT,
                                    "gets %s of %s in %s for $%.4f",
                                    type,
                                    pool,
                                    zone,
                                    price);
                    case Verdict.Waits(var reason) -> "waits: " + reason.explain();
                    case Verdict.NotOurs(var why) -> "not ours: " + why;
                };
        var fix =
                switch (explanation.fix()) {
                    case null -> "";
                    case Fix.None(var why) -> "\nno fix: " + why;
                    case Fix.Found found ->
                            found.first().changes().stream()
                                    .map(each -> "\n" + each.object(pod) + ": " + each.describe())
                                    .collect(Collectors.joining());
                };
        return verdict + fix;
    }

    @Test
    void aPodThatIsNotThereIsNotExplained() {
        assertThat(new PodExplainer(cluster.problem()).explain(new ObjectName("default", "gone")))
                .isNull();
    }

    @Test
    void aPodThatRunsIsSettled() {
        cluster = cluster.with(node("a"), pod("web", "1").onNode("a"));

        assertThat(told())
                .isEqualTo(
                        """
                        runs on a""");
    }

    @Test
    void aPodThatFitsANodeThatIsThereSaysWhich() {
        cluster = cluster.with(node("a"), pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        fits a""");
    }

    @Test
    void aPodThatGetsANodeSaysWhichAndForHowMuch() {
        cluster = cluster.selling(SMALL, LARGE).with(pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        gets small of default in test-zone-1 for $1.2590""");
    }

    @Test
    void aPodThatKubeSchedulerHasNotGivenUpOnIsNotOurs() {
        cluster = cluster.with(pod("web", "1").unseen());

        assertThat(told())
                .isEqualTo(
                        """
                        not ours: kube-scheduler has not found it unschedulable, or it is being deleted""");
    }

    @Test
    void withoutPoolsNothingHelps() {
        cluster = cluster.withoutNodePools().with(pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: no NodePool is ready to launch nodes for pods; make one, or see the Ready condition of those there are
                        no fix: no NodePool is ready; a change to the pod or a pool's requirements cannot help""");
    }

    @Test
    void aPoolThatIsNotReadyHelpsNobody() {
        cluster = cluster.with(nodePool("default").notReady(), pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: no NodePool is ready to launch nodes for pods; make one, or see the Ready condition of those there are
                        no fix: no NodePool is ready; a change to the pod or a pool's requirements cannot help""");
    }

    @Test
    void aPodThatIsTooLargeMayAskForLess() {
        cluster = cluster.selling(SMALL, LARGE).with(pod("web", "20").memory("3Gi"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: no instance type had enough resources, requirements: karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true], karpenter.test.sh/testnodeclass In [default], requested: cpu 20, memory 3Gi, pods 1, the nearest type lacks: cpu 4100m
                        Pod default/web: ask for at most 15900m of cpu""");
    }

    @Test
    void aPodThatIsTooLargeForOneResourceMayAskForLessOfThat() {
        cluster = cluster.selling(SMALL, LARGE).with(pod("web", "1").memory("40Gi"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: no instance type had enough resources, requirements: karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true], karpenter.test.sh/testnodeclass In [default], requested: cpu 1, memory 40Gi, pods 1, the nearest type lacks: memory 8202Mi
                        Pod default/web: ask for at most 32758Mi of memory""");
    }

    @Test
    void aPodThatIsTooLargeForEveryoneMayFitANodeThatIsThere() {
        cluster = cluster.selling(SMALL).with(node("big").cpu("7"), pod("web", "8"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: no instance type had enough resources, requirements: karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true], karpenter.test.sh/testnodeclass In [default], requested: cpu 8, pods 1, the nearest type lacks: cpu 4100m
                        Pod default/web: ask for at most 7 of cpu""");
    }

    @Test
    void aMistypedLabelIsMended() {
        cluster =
                cluster.selling(SMALL)
                        .with(pod("web", "1").nodeSelector("kubernetes.io/arhc", "amd64"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "kubernetes.io/arhc" does not have known values (typo of "kubernetes.io/arch"?)
                        Pod default/web: ask for label kubernetes.io/arch instead of kubernetes.io/arhc""");
    }

    @Test
    void aMistypedLabelOfOursIsMended() {
        cluster =
                cluster.selling(SMALL)
                        .with(pod("web", "1").requires(in("karpenter.sh/capacity-typ", "spot")));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: required node affinity: label "karpenter.sh/capacity-typ" is restricted; use a label of your own or a well-known one
                        Pod default/web: ask for label karpenter.sh/capacity-type instead of karpenter.sh/capacity-typ""");
    }

    @Test
    void aMistypedZoneIsMended() {
        cluster =
                cluster.selling(SMALL)
                        .with(pod("web", "1").nodeSelector(LabelKeys.ZONE, "test-zone-l"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: no instance type met the scheduling requirements or had a required offering, requirements: karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true], karpenter.test.sh/testnodeclass In [default], topology.kubernetes.io/zone In [test-zone-l], requested: cpu 1, pods 1
                        Pod default/web: ask for topology.kubernetes.io/zone=test-zone-1""");
    }

    @Test
    void aMistypedArchitectureIsMended() {
        cluster =
                cluster.selling(SMALL).with(pod("web", "1").requires(in(LabelKeys.ARCH, "amd46")));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: no instance type met the scheduling requirements, requirements: karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true], karpenter.test.sh/testnodeclass In [default], kubernetes.io/arch In [amd46], requested: cpu 1, pods 1
                        Pod default/web: ask for kubernetes.io/arch=amd64""");
    }

    @Test
    void aLabelUnderAnotherPrefixIsRenamed() {
        cluster =
                cluster.selling(SMALL)
                        .with(pod("web", "1").nodeSelector("example.com/zone", "test-zone-1"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "example.com/zone" does not have known values (typo of "topology.kubernetes.io/zone"?)
                        Pod default/web: ask for label topology.kubernetes.io/zone instead of example.com/zone""");
    }

    @Test
    void aLabelOfATermUnderAnotherPrefixIsRenamed() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                pod("web", "1")
                                        .requires(
                                                in("example.com/zone", "test-zone-1"),
                                                gt("integer", 1)));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "example.com/zone" does not have known values (typo of "topology.kubernetes.io/zone"?)
                        Pod default/web: ask for label topology.kubernetes.io/zone instead of example.com/zone""");
    }

    @Test
    void aCapacityTypeThatThePoolExcludesIsGivenUpFirst() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default")
                                        .requirement(in(LabelKeys.CAPACITY_TYPE, "on-demand")),
                                pod("web", "1").nodeSelector(LabelKeys.CAPACITY_TYPE, "spot"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "karpenter.sh/capacity-type": wanted karpenter.sh/capacity-type In [spot], offered karpenter.sh/capacity-type In [on-demand]
                        Pod default/web: ask nothing of label karpenter.sh/capacity-type""");
    }

    @Test
    void aVolumesZoneIsAdmittedByThePool() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").requirement(in(LabelKeys.ZONE, "test-zone-1")),
                                volume("disk").zones("test-zone-3"),
                                volumeClaim("data").boundTo("disk"),
                                pod("web", "1").claim("data"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible volume requirements, label "topology.kubernetes.io/zone": wanted topology.kubernetes.io/zone In [test-zone-3], offered topology.kubernetes.io/zone In [test-zone-1]
                        NodePool default: allow topology.kubernetes.io/zone=test-zone-3""");
    }

    @Test
    void demandsAreGivenUpTogether() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                pod("web", "1")
                                        .nodeSelector("disk", "ssd")
                                        .nodeSelector("rack", "7"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "disk" does not have known values; NodePool default: incompatible requirements, label "rack" does not have known values
                        Pod default/web: ask nothing of label disk
                        Pod default/web: ask nothing of label rack""");
    }

    @Test
    void fourFaultsAreTooManyForOnePerson() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                pod("web", "1")
                                        .nodeSelector("a", "1")
                                        .nodeSelector("b", "2")
                                        .nodeSelector("c", "3")
                                        .nodeSelector("d", "4"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "a" does not have known values (typo of "karpenter.sh/capacity-type"?); NodePool default: incompatible requirements, label "b" does not have known values (typo of "kubernetes.io/arch"?); NodePool default: incompatible requirements, label "c" does not have known values (typo of "karpenter.sh/capacity-type"?); NodePool default: incompatible requirements, label "d" does not have known values (typo of "karpenter.sh/nodepool"?)
                        no fix: no set of up to 3 changes that we know of helps""");
    }

    @Test
    void anUnknownLabelIsGivenUp() {
        cluster = cluster.selling(SMALL).with(pod("web", "1").nodeSelector("disk", "ssd"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "disk" does not have known values
                        Pod default/web: ask nothing of label disk""");
    }

    @Test
    void aTaintIsTolerated() {
        cluster =
                cluster.selling(SMALL)
                        .with(nodePool("default").taint(taint("team", "a")), pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: does not tolerate taint team=a:NoSchedule
                        Pod default/web: tolerate taint team=a:NoSchedule""");
    }

    @Test
    void aTaintAndALabelAreMendedTogether() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").taint(taint("team", "a")),
                                pod("web", "1").nodeSelector("disk", "ssd"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: does not tolerate taint team=a:NoSchedule; NodePool default: incompatible requirements, label "disk" does not have known values
                        Pod default/web: tolerate taint team=a:NoSchedule
                        Pod default/web: ask nothing of label disk""");
    }

    @Test
    void aZoneThatThePoolExcludesIsExchangedForOneOfItsOwn() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").requirement(in(LabelKeys.ZONE, "test-zone-1")),
                                pod("web", "1")
                                        .nodeSelector(LabelKeys.ZONE, "test-zone-3")
                                        .requires(in(LabelKeys.ZONE, "test-zone-3")));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "topology.kubernetes.io/zone": wanted topology.kubernetes.io/zone In [test-zone-3], offered topology.kubernetes.io/zone In [test-zone-1]
                        Pod default/web: ask for topology.kubernetes.io/zone=test-zone-1""");
    }

    @Test
    void aLimitIsRaised() {
        cluster =
                cluster.selling(SMALL, LARGE)
                        .with(nodePool("default").limit("cpu", "2"), pod("web", "3"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: all available instance types exceed limits for nodepool; left: cpu 2
                        NodePool default: raise the limit of cpu to 4""");
    }

    @Test
    void aLimitOfNodesIsRaised() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").limit("nodes", "1"),
                                node("a").cpu("1").podSlots(1),
                                pod("old", "1").onNode("a"),
                                pod("web", "3"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: node limits have been exhausted for nodepool
                        NodePool default: raise the limit of nodes to 2""");
    }

    @Test
    void minValuesThatCannotBeMetAreTakenAway() {
        cluster =
                cluster.selling(SMALL, LARGE)
                        .with(
                                nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 3),
                                pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: nodepool requirements filtered out all available instance types (default)
                        NodePool default: take minValues of node.kubernetes.io/instance-type away""");
    }

    @Test
    void aSpreadThatCannotBeMetIsLoosened() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").requirement(in(LabelKeys.ZONE, "test-zone-1")),
                                node("a").zone("test-zone-1").cpu("1"),
                                node("b").zone("test-zone-2").cpu("100m"),
                                pod("old", "1").labels(WEB).onNode("a"),
                                pod("web", "1").labels(WEB).spread(LabelKeys.ZONE, 1, WEB));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: unsatisfiable topology spread over topology.kubernetes.io/zone (pods by domain: test-zone-1 1, test-zone-2 0; the pod allows topology.kubernetes.io/zone Exists; the node offers topology.kubernetes.io/zone In [test-zone-1])
                        Pod default/web: spread over topology.kubernetes.io/zone with whenUnsatisfiable: ScheduleAnyway""");
    }

    @Test
    void anAffinityToNobodyIsGivenUp() {
        cluster =
                cluster.selling(SMALL)
                        .with(pod("web", "1").podAffinity(LabelKeys.ZONE, Map.of("app", "gone")));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: unsatisfiable pod affinity over topology.kubernetes.io/zone (pods by domain: test-zone-1 0, test-zone-2 0, test-zone-3 0; the pod allows topology.kubernetes.io/zone Exists; the node offers topology.kubernetes.io/zone Exists)
                        Pod default/web: require no podAffinity over topology.kubernetes.io/zone""");
    }

    @Test
    void anAntiAffinityOverZonesIsGivenUp() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").requirement(in(LabelKeys.ZONE, "test-zone-1")),
                                node("a").zone("test-zone-1").cpu("1"),
                                pod("old", "1").labels(WEB).onNode("a"),
                                pod("web", "1").labels(WEB).podAntiAffinity(LabelKeys.ZONE, WEB));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: unsatisfiable pod anti-affinity over topology.kubernetes.io/zone (pods by domain: test-zone-1 1; the pod allows topology.kubernetes.io/zone Exists; the node offers topology.kubernetes.io/zone In [test-zone-1])
                        Pod default/web: require no podAntiAffinity over topology.kubernetes.io/zone""");
    }

    @Test
    void aPodThatNamesAnotherPoolNamesNone() {
        cluster =
                cluster.selling(SMALL)
                        .with(pod("web", "1").nodeSelector(LabelKeys.NODE_POOL, "gone"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "karpenter.sh/nodepool": wanted karpenter.sh/nodepool In [gone], offered karpenter.sh/nodepool In [default]
                        Pod default/web: ask nothing of label karpenter.sh/nodepool""");
    }

    @Test
    void aPodThatForbidsOurPoolsIsToldSo() {
        cluster =
                cluster.selling(SMALL)
                        .with(pod("web", "1").requires(doesNotExist(LabelKeys.NODE_POOL)));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: the pod requires karpenter.sh/nodepool DoesNotExist
                        Pod default/web: ask nothing of label karpenter.sh/nodepool""");
    }

    @Test
    void resourceClaimsAreNotPlannedFor() {
        cluster = cluster.selling(SMALL).with(pod("web", "1").resourceClaims());

        assertThat(told())
                .isEqualTo(
                        """
                        waits: the pod has Dynamic Resource Allocation requirements, which are not yet supported
                        no fix: pods with resource claims are not planned for yet""");
    }

    @Test
    void aPoolIsLoosenedBeforeATaintOfAnotherIsTolerated() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("a").taint(taint("team", "a")),
                                nodePool("b").requirement(in(LabelKeys.ARCH, "arm64")),
                                pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool a: does not tolerate taint team=a:NoSchedule; NodePool b: nodepool requirements filtered out all available instance types
                        NodePool b: allow kubernetes.io/arch=amd64""");
    }

    @Test
    void aNumberOutOfBoundsIsGivenUp() {
        cluster = cluster.selling(SMALL).with(pod("web", "1").requires(gt("integer", 9)));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: no instance type met the scheduling requirements, requirements: integer Exists >=10, karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true], karpenter.test.sh/testnodeclass In [default], requested: cpu 1, pods 1
                        Pod default/web: ask nothing of label integer""");
    }

    @Test
    void aPoolWhoseRequirementsLeaveNoTypeIsWidened() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default")
                                        .requirement(in(LabelKeys.INSTANCE_TYPE, "gone")),
                                pod("web", "1"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: nodepool requirements filtered out all available instance types (default)
                        NodePool default: allow node.kubernetes.io/instance-type=small""");
    }

    @Test
    void aLabelOfAnotherTeamIsNotAskedForInstead() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").label("team", "b"),
                                pod("web", "1").nodeSelector("team", "a"));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: incompatible requirements, label "team": wanted team In [a], offered team In [b]
                        Pod default/web: ask nothing of label team""");
    }

    @Test
    void aLimitIsRaisedBeforeAHostPortIsGivenUp() {
        cluster =
                cluster.selling(LARGE)
                        .with(
                                nodePool("default").limit("nodes", "1"),
                                node("a").cpu("8"),
                                pod("old", "1").hostPort(80).onNode("a"),
                                pod("web", "1").hostPort(80));

        assertThat(told())
                .isEqualTo(
                        """
                        waits: NodePool default: node limits have been exhausted for nodepool
                        NodePool default: raise the limit of nodes to 2""");
    }

    @Test
    void aSchedulingGateIsNamed() {
        cluster =
                cluster.with(
                        pod("web", "1")
                                .state(
                                        new PodState(
                                                PodState.Phase.PENDING,
                                                null,
                                                null,
                                                false,
                                                false,
                                                false,
                                                null,
                                                List.of(),
                                                List.of("example.com/quota"))));

        assertThat(told())
                .isEqualTo(
                        """
                        not ours: scheduling gate example.com/quota holds it back until it is taken away from spec.schedulingGates""");
    }

    @Test
    void waysAreOfDifferentKindsAndSayWhatTheyCost() {
        cluster =
                cluster.selling(SMALL, LARGE)
                        .with(
                                nodePool("default").limit("cpu", "2"),
                                nodePool("team")
                                        .label("team", "b")
                                        .requirement(in(LabelKeys.ZONE, "test-zone-1")),
                                pod("web", "3").nodeSelector(LabelKeys.ZONE, "test-zone-3"));

        var explanation =
                new PodExplainer(cluster.problem()).explain(new ObjectName("default", "web"));

        assertThat(explanation.fix()).isInstanceOf(Fix.Found.class);
        var found = (Fix.Found) explanation.fix();
        assertThat(found.ways())
                .extracting(way -> way.changes().getFirst().topic())
                .startsWith("limits default")
                .doesNotHaveDuplicates()
                .hasSizeBetween(2, 3);
        assertThat(found.ways()).allSatisfy(way -> assertThat(way.extraPerHour()).isPositive());
    }

    @Test
    void aTaintForAddOnsIsNeverToleratedWhereALimitCanBeRaised() {
        cluster =
                cluster.selling(SMALL)
                        .with(
                                nodePool("default").limit("cpu", "2"),
                                nodePool("a-system").taint(taint("CriticalAddonsOnly", "true")),
                                pod("web", "3"));

        assertThat(told()).endsWith("NodePool default: raise the limit of cpu to 4");
    }

    @Test
    void theClaimThatIsUnboundIsNamed() {
        cluster =
                cluster.selling(SMALL)
                        .with(volumeClaim("data").lost(), pod("web", "1").claim("data"));

        assertThat(told())
                .endsWith(
                        "no fix: PersistentVolumeClaim default/data is Lost: its PersistentVolume is gone; nothing is planned for the pod before that claim is mended");
    }

    /// On EC2 every pool has the whole catalogue; its requirements say what it buys of it.
    @Test
    void aPodThatAsksForAGpuToleratesThePoolThatBuysThem() {
        cluster =
                cluster.withoutNodePools()
                        .selling(
                                SMALL,
                                LARGE,
                                instanceType("gpu").cpu("8").resource("nvidia.com/gpu", "1"))
                        .with(
                                nodePool("general")
                                        .requirement(in(LabelKeys.INSTANCE_TYPE, "small", "large")),
                                nodePool("accelerated")
                                        .requirement(in(LabelKeys.INSTANCE_TYPE, "gpu"))
                                        .taint(taint("nvidia.com/gpu", "true")),
                                pod("web", "1").resource("nvidia.com/gpu", "1"));

        assertThat(told())
                .endsWith("\nPod default/web: tolerate taint nvidia.com/gpu=true:NoSchedule");
    }

    @Test
    void aLimitIsRaisedByNoMoreThanPodsThatComeFirstTake() {
        cluster =
                cluster.withoutNodePools()
                        .selling(SMALL, instanceType("huge").cpu("800").memory("1600Gi"))
                        .with(
                                nodePool("general").limit("cpu", "4"),
                                pod("a", "3"),
                                pod("b", "3"),
                                pod("c", "3"),
                                pod("web", "3"));

        assertThat(told()).endsWith("\nNodePool general: raise the limit of cpu to 16");
    }

    @Test
    void aPoolIsNotGivenTheLabelByWhichAnotherIsChosen() {
        cluster =
                cluster.withoutNodePools()
                        .selling(SMALL)
                        .with(
                                nodePool("general"),
                                nodePool("team").label("team", "a").limit("cpu", "1"),
                                pod("web", "3").nodeSelector("team", "a"));

        assertThat(new PodExplainer(cluster.problem()).explain(new ObjectName("default", "web")))
                .satisfies(
                        each ->
                                assertThat(each.fix().toString())
                                        .contains("RaiseLimits")
                                        .doesNotContain("AddLabel"));
    }

    @Test
    void aPoolIsNotGivenALabelThatIsMistyped() {
        cluster = cluster.selling(SMALL).with(pod("web", "1").nodeSelector("zoen", "test-zone-1"));

        assertThat(new PodExplainer(cluster.problem()).explain(new ObjectName("default", "web")))
                .satisfies(
                        each ->
                                assertThat(each.fix().toString())
                                        .contains("RenameLabel")
                                        .doesNotContain("AddLabel"));
    }

    @Test
    void theRequirementThatAloneExcludesEveryTypeIsKnown() {
        cluster = cluster.withoutNodePools().selling(SMALL, LARGE).with(nodePool("general"));
        var problem = cluster.problem();
        var decisive =
                new PoolRequirements(problem, problem.nodePools().getFirst())
                        .decisive(
                                Requirements.of(
                                        in(LabelKeys.INSTANCE_TYPE, "small"),
                                        in(LabelKeys.ZONE, "nowhere")));

        assertThat(decisive).hasSize(1);
        assertThat(decisive.getFirst().wanted()).isEqualTo(in(LabelKeys.ZONE, "nowhere"));
        assertThat(decisive.getFirst().offered())
                .containsExactly("test-zone-1", "test-zone-2", "test-zone-3");
    }
}
