package dev.millwright.world.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.workload.SmallCluster;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Which nodes a pod may have, by rule. Three nodes in two zones: `a1` and `a2` in zone a, `b1` in
/// zone b.
final class KubeSchedulerTest {

    private static final String ZONE = "topology.kubernetes.io/zone";

    private static SmallCluster cluster() {
        return new SmallCluster()
                .withNode("a1", "4", "8Gi", ZONE + ": a, disk: ssd, cores: \"4\"")
                .withNode("a2", "4", "8Gi", ZONE + ": a")
                .withNode("b1", "4", "8Gi", ZONE + ": b, disk: hdd, cores: \"16\"")
                .run(1);
    }

    /// `spec` are further fields of the pod's spec, in YAML's flow style.
    private static String pod(String name, String labels, String spec) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {%s}}
                spec:
                  containers:
                  - {name: main, image: main, resources: {requests: {cpu: "1", memory: 1Gi}}}
                %s
                ---
                """
                .formatted(name, labels, spec.indent(2));
    }

    private static List<String> feasible(SmallCluster cluster, String spec) {
        return feasible(cluster, "app: judged", spec);
    }

    /// Asked at once: the pod has not been given a place yet.
    private static List<String> feasible(SmallCluster cluster, String labels, String spec) {
        cluster.apply(pod("judged", labels, spec));
        return judged(cluster).feasible();
    }

    private static KubeScheduler.Verdict judged(SmallCluster cluster) {
        var verdict = cluster.plane.scheduler().judge(new ObjectName("default", "judged"));
        assertThat(verdict).isNotNull();
        return verdict;
    }

    private static String on(String node) {
        return "nodeName: " + node;
    }

    @Test
    void aPodWithoutWishesMayGoAnywhere() {
        assertThat(feasible(cluster(), "")).containsExactly("a1", "a2", "b1");
    }

    @Test
    void aNodeSelectorChoosesByLabels() {
        assertThat(feasible(cluster(), "nodeSelector: {disk: ssd}")).containsExactly("a1");
    }

    @Test
    void alternativesOfNodeAffinityAreOred() {
        var spec =
                """
                affinity:
                  nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: disk, operator: DoesNotExist}]
                      - matchExpressions: [{key: cores, operator: Gt, values: ["8"]}]
                """;

        assertThat(feasible(cluster(), spec)).containsExactly("a2", "b1");
    }

    @Test
    void aTermThatSaysNothingMatchesNoNode() {
        var spec =
                """
                affinity:
                  nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms: [{}]
                """;

        assertThat(feasible(cluster(), spec)).isEmpty();
    }

    @Test
    void aTaintRepelsWhoDoesNotTolerateIt() {
        var cluster = cluster();
        cluster.patch(
                ResourceType.NODE,
                "a1",
                "spec: {taints: [{key: team, value: x, effect: NoSchedule}]}");

        assertThat(feasible(cluster, "")).containsExactly("a2", "b1");
    }

    @Test
    void aTolerationLetsThePodIn() {
        var cluster = cluster();
        cluster.patch(
                ResourceType.NODE,
                "a1",
                "spec: {taints: [{key: team, value: x, effect: NoExecute}]}");

        assertThat(feasible(cluster, "tolerations: [{key: team, operator: Equal, value: x}]"))
                .contains("a1");
    }

    @Test
    void aTaintThatMerelyPrefersIsAMatterOfTaste() {
        var cluster = cluster();
        cluster.patch(
                ResourceType.NODE, "b1", "spec: {taints: [{key: x, effect: PreferNoSchedule}]}");

        assertThat(feasible(cluster, "")).contains("b1");
        assertThat(judged(cluster).best()).containsExactly("a1", "a2");
    }

    @Test
    void aCordonedNodeTakesNobody() {
        var cluster = cluster();
        cluster.patch(ResourceType.NODE, "a2", "spec: {unschedulable: true}");

        assertThat(feasible(cluster, "")).containsExactly("a1", "b1");
    }

    @Test
    void whatPodsHoldIsNotFree() {
        var cluster = cluster();
        cluster.apply(pod("one", "a: b", on("a1")) + pod("two", "a: b", on("a1")));

        assertThat(
                        feasible(
                                cluster,
                                "initContainers: [{name: i, image: i, resources: {requests: {cpu: \"3\"}}}]"))
                .containsExactly("a2", "b1");
    }

    @Test
    void sidecarsCountBesideTheContainers() {
        assertThat(
                        feasible(
                                cluster(),
                                "initContainers: [{name: i, image: i, restartPolicy: Always, resources: {requests: {cpu: 3100m}}}]"))
                .isEmpty();
        assertThat(judgedMessage("{cpu: 3100m}"))
                .isEqualTo("0/3 nodes are available: 3 Insufficient cpu.");
    }

    private static String judgedMessage(String requests) {
        var cluster = cluster();
        cluster.apply(
                pod(
                        "judged",
                        "a: b",
                        "initContainers: [{name: i, image: i, restartPolicy: Always, resources: {requests: %s}}]"
                                .formatted(requests)));
        return judged(cluster).message();
    }

    @Test
    void aResourceNobodyHasFitsNowhere() {
        assertThat(
                        feasible(
                                cluster(),
                                "initContainers: [{name: i, image: i, resources: {requests: {example.com/gpu: 1}, limits: {example.com/gpu: 1}}}]"))
                .isEmpty();
    }

    @Test
    void aHostPortIsTakenOnce() {
        var cluster = cluster();
        var web =
                pod("web", "a: b", on("a1"))
                        .replace(
                                "image: main,",
                                "image: main, ports: [{containerPort: 80, hostPort: 80}],");
        cluster.apply(web);
        cluster.apply(
                pod("judged", "a: b", "")
                        .replace(
                                "image: main,",
                                "image: main, ports: [{containerPort: 80, hostPort: 80}],"));

        assertThat(judged(cluster).feasible()).containsExactly("a2", "b1");
    }

    private static final String AWAY =
            """
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {topologyKey: %s, labelSelector: {matchLabels: {app: %s}}}
            """;

    private static final String NEAR = AWAY.replace("podAntiAffinity", "podAffinity");

    @Test
    void antiAffinityKeepsAwayFromTheWholeZone() {
        var cluster = cluster();
        cluster.apply(pod("other", "app: noisy", on("a1")));

        assertThat(feasible(cluster, AWAY.formatted(ZONE, "noisy"))).containsExactly("b1");
    }

    @Test
    void podsOnNodesKeepOthersAwayToo() {
        var cluster = cluster();
        cluster.apply(pod("shy", "app: shy", on("a1") + "\n" + AWAY.formatted(ZONE, "judged")));

        assertThat(feasible(cluster, "")).containsExactly("b1");
        assertThat(judged(cluster).feasible()).hasSize(1);
    }

    @Test
    void affinityFollowsTheOtherIntoItsZone() {
        var cluster = cluster();
        cluster.apply(pod("other", "app: friend", on("a1")));

        assertThat(feasible(cluster, NEAR.formatted(ZONE, "friend"))).containsExactly("a1", "a2");
    }

    @Test
    void affinityToNobodyWaits() {
        assertThat(feasible(cluster(), NEAR.formatted(ZONE, "friend"))).isEmpty();
    }

    @Test
    void theFirstOfAGroupThatWantsItselfMayGoAnywhere() {
        assertThat(feasible(cluster(), NEAR.formatted(ZONE, "judged"))).hasSize(3);
    }

    @Test
    void antiAffinityOfAnotherNamespaceIsNotMeant() {
        var cluster = cluster();
        cluster.apply(
                pod("other", "app: noisy", on("a1"))
                        .replace("{name: other,", "{name: other, namespace: else,"));

        assertThat(feasible(cluster, AWAY.formatted(ZONE, "noisy"))).hasSize(3);
    }

    private static final String SPREAD =
            """
            topologySpreadConstraints:
            - {topologyKey: %s, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: judged}}%s}
            """;

    @Test
    void spreadFillsTheEmptierZoneFirst() {
        var cluster = cluster();
        cluster.apply(pod("other", "app: judged", on("a1")));

        assertThat(feasible(cluster, SPREAD.formatted(ZONE, ""))).containsExactly("b1");
    }

    @Test
    void podsOnTheirWayOutDoNotCountForSpread() {
        var cluster = cluster();
        cluster.apply(pod("other", "app: judged", on("a1")));
        cluster.run(30).delete(ResourceType.POD, "other");

        assertThat(cluster.pods()).hasSize(1);
        assertThat(feasible(cluster, SPREAD.formatted(ZONE, ""))).hasSize(3);
    }

    @Test
    void fewerDomainsThanWantedCountAsEmpty() {
        var cluster = cluster();
        cluster.apply(pod("x", "app: judged", on("a1")) + pod("y", "app: judged", on("b1")));

        assertThat(feasible(cluster, SPREAD.formatted(ZONE, ", minDomains: 3"))).isEmpty();
    }

    @Test
    void nodesThePodMayNotUseDoNotHoldItBack() {
        var cluster = cluster();
        cluster.apply(pod("other", "app: judged", on("a1")));

        assertThat(
                        feasible(
                                cluster,
                                SPREAD.formatted(ZONE, "") + "nodeSelector: {" + ZONE + ": a}"))
                .containsExactly("a1", "a2");
    }

    @Test
    void nodesThePodMayNotUseHoldItBackWhereItSaysSo() {
        var cluster = cluster();
        cluster.apply(pod("other", "app: judged", on("a1")));

        assertThat(
                        feasible(
                                cluster,
                                SPREAD.formatted(ZONE, ", nodeAffinityPolicy: Ignore")
                                        + "nodeSelector: {"
                                        + ZONE
                                        + ": a}"))
                .isEmpty();
    }

    @Test
    void aPreferenceDecidesAmongThoseThatWillDo() {
        var spec =
                """
                affinity:
                  nodeAffinity:
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - weight: 10
                      preference: {matchExpressions: [{key: disk, operator: In, values: [hdd]}]}
                """;

        var cluster = cluster();

        assertThat(feasible(cluster, spec)).hasSize(3);
        assertThat(judged(cluster).best()).containsExactly("b1");
    }

    @Test
    void aGatedPodIsNotLookedAt() {
        var cluster = cluster();
        cluster.apply(pod("gated", "a: b", "schedulingGates: [{name: example.com/wait}]")).run(10);
        assertThat(cluster.places()).containsEntry("gated", "");

        cluster.patch(ResourceType.POD, "gated", "spec: {schedulingGates: null}");
        cluster.run(10);

        assertThat(cluster.places().get("gated")).isNotEmpty();
    }

    @Test
    void aPodOfAnotherSchedulerIsLeftAlone() {
        var cluster = cluster();
        cluster.apply(pod("theirs", "a: b", "schedulerName: other")).run(10);

        assertThat(cluster.places()).containsEntry("theirs", "");
        assertThat(Reading.condition(cluster.object(ResourceType.POD, "theirs"), "PodScheduled"))
                .isNull();
    }

    @Test
    void theMoreImportantPodGoesFirst() {
        var cluster = new SmallCluster();
        cluster.apply(
                """
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: high}
                value: 1000
                """);
        cluster.apply(pod("low", "a: b", "") + pod("high", "a: b", "priorityClassName: high"));
        cluster.run(10).withNode("only", "1", "8Gi", "").run(10);

        assertThat(cluster.places()).containsEntry("high", "only").containsEntry("low", "");
    }

    @Test
    void aPodIsPlacedOnceAnotherLeaves() {
        var cluster = new SmallCluster().withNode("only", "1", "8Gi", "");
        cluster.apply(pod("first", "a: b", "")).run(10);
        cluster.apply(pod("second", "a: b", "")).run(10);
        assertThat(cluster.places()).containsEntry("second", "");

        cluster.delete(ResourceType.POD, "first");
        cluster.run(60);

        assertThat(cluster.places()).containsOnlyKeys("second").containsEntry("second", "only");
    }
}
