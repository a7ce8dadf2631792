package dev.millwright.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.cluster.PodVolume;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class PodTranslationTest {

    private static String pod(String rest) {
        return "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\n" + rest;
    }

    @Test
    void aPlainManifestIsAPodThatWaits() {
        var pod = Reading.pod(pod("spec: {containers: [{name: main}]}\n"));
        assertThat(pod.name()).isEqualTo(new ObjectName("default", "web"));
        assertThat(pod.uid()).isEqualTo("uid-default-web");
        assertThat(pod.createdAt()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(pod.state().isProvisionable()).isTrue();
        assertThat(pod.requests()).isEqualTo(Resources.parse("pods", "1"));
    }

    @Test
    void aPodTheSchedulerHasNotGivenUpOnDoesNotWaitForANode() {
        var pod =
                Reading.pod(
                        pod(
                                "status: {conditions: [{type: PodScheduled, reason: SchedulerError}]}\n"));
        assertThat(pod.state().isMarkedUnschedulable()).isFalse();
    }

    @Test
    void aGatedPodDoesNotWaitForANode() {
        var pod = Reading.pod(pod("spec: {schedulingGates: [{name: quota}]}\n"));
        assertThat(pod.state().isMarkedUnschedulable()).isFalse();
    }

    @Test
    void aPodBoundToANodeThatIsNotThereIsKept() {
        var pod = Reading.pod(pod("spec: {nodeName: gone}\n"));
        assertThat(pod.state().nodeName()).isEqualTo("gone");
        assertThat(pod.state().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void requestsAreThoseKubeSchedulerCounts() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  overhead: {cpu: 50m}
                                  initContainers:
                                  - {name: sidecar, restartPolicy: Always, resources: {requests: {cpu: 200m}}}
                                  - {name: setup, resources: {requests: {cpu: "2"}}}
                                  containers:
                                  - {name: a, resources: {requests: {cpu: 500m}, limits: {memory: 1Gi, cpu: "4"}}}
                                  - {name: b, resources: {requests: {cpu: 500m}}}
                                """));
        assertThat(pod.requests())
                .isEqualTo(Resources.parse("cpu", "2250m", "memory", "1Gi", "pods", "1"));
    }

    @Test
    void requestsAtPodLevelReplaceTheSum() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  resources: {requests: {cpu: "3"}, limits: {memory: 2Gi}}
                                  containers:
                                  - {name: a, resources: {requests: {cpu: 500m}}}
                                """));
        assertThat(pod.requests())
                .isEqualTo(Resources.parse("cpu", "3", "memory", "2Gi", "pods", "1"));
    }

    @Test
    void aBoundPodHoldsWhatItWasGivenUntilItShrinks() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  nodeName: n
                                  containers: [{name: a, resources: {requests: {cpu: "1", memory: 2Gi}}}]
                                status:
                                  containerStatuses: [{name: a, allocatedResources: {cpu: "2", memory: 1Gi}}]
                                """));
        assertThat(pod.requests())
                .isEqualTo(Resources.parse("cpu", "2", "memory", "2Gi", "pods", "1"));
    }

    @Test
    void hostPortsAreThoseOfRegularContainers() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  initContainers: [{name: i, ports: [{hostPort: 1, containerPort: 1}]}]
                                  containers: [{name: a, ports: [{containerPort: 80}, {hostPort: 53, containerPort: 53, protocol: UDP}]}]
                                """));
        assertThat(pod.hostPorts()).containsExactly(new HostPort("0.0.0.0", 53, "UDP"));
    }

    @Test
    void onTheHostsNetworkEveryPortIsTaken() {
        var pod =
                Reading.pod(
                        pod(
                                "spec: {hostNetwork: true, containers: [{ports: [{containerPort: 80}]}]}\n"));
        assertThat(pod.hostPorts()).containsExactly(new HostPort("0.0.0.0", 80, "TCP"));
    }

    @Test
    void volumesAndResourceClaimsAreSeen() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  resourceClaims: [{name: gpu}]
                                  volumes:
                                  - {name: a, persistentVolumeClaim: {claimName: data}}
                                  - {name: b, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: fast}}}}
                                  - {name: c, emptyDir: {}}
                                """));
        assertThat(pod.volumes())
                .containsExactly(new PodVolume.Claim("data"), new PodVolume.Ephemeral("b", "fast"));
        assertThat(pod.hasResourceClaims()).isTrue();
    }

    @Test
    void keysOfNodeAffinityGetTodaysSpelling() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  affinity:
                                    nodeAffinity:
                                      requiredDuringSchedulingIgnoredDuringExecution:
                                        nodeSelectorTerms:
                                        - matchExpressions: [{key: failure-domain.beta.kubernetes.io/zone, operator: In, values: [a]}]
                                        - matchFields: [{key: metadata.name, operator: In, values: [n]}]
                                      preferredDuringSchedulingIgnoredDuringExecution:
                                      - {weight: 5, preference: {matchExpressions: [{key: size, operator: Gt, values: ["3"]}]}}
                                """));
        assertThat(pod.placement().nodeAffinity())
                .isEqualTo(
                        new NodeAffinity(
                                List.of(
                                        NodeAffinity.Term.of(Requirement.in(LabelKeys.ZONE, "a")),
                                        new NodeAffinity.Term(List.of(), true)),
                                List.of(
                                        new NodeAffinity.Preferred(
                                                5,
                                                NodeAffinity.Term.of(
                                                        Requirement.of(
                                                                "size", Operator.GT, "3"))))));
    }

    @Test
    void matchLabelKeysJoinTheSelector() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  affinity:
                                    podAntiAffinity:
                                      requiredDuringSchedulingIgnoredDuringExecution:
                                      - topologyKey: kubernetes.io/hostname
                                        labelSelector: {}
                                        matchLabelKeys: [app, absent]
                                """));
        assertThat(pod.placement().podAntiAffinity().required().getFirst().selector())
                .isEqualTo(
                        Selector.EVERYTHING.and(
                                new Selector.Expression("app", Operator.IN, List.of("web"))));
    }

    @Test
    void tolerationsHaveTheirDefaults() {
        var pod =
                Reading.pod(
                        pod(
                                "spec: {tolerations: [{operator: Exists}, {key: a, value: b, effect: NoExecute}]}\n"));
        assertThat(pod.placement().tolerations())
                .containsExactly(
                        new Toleration("", Toleration.Match.EXISTS, "", null),
                        new Toleration(
                                "a",
                                Toleration.Match.EQUAL,
                                "b",
                                dev.millwright.core.label.Effect.NO_EXECUTE));
    }

    @Test
    void spreadHasItsDefaults() {
        var pod =
                Reading.pod(
                        pod(
                                """
                                spec:
                                  topologySpreadConstraints:
                                  - {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}
                                """));
        assertThat(pod.placement().spread())
                .containsExactly(
                        SpreadConstraint.of(
                                "zone", 2, false, Selector.ofLabels(Map.of("app", "web"))));
    }

    @Test
    void absurdPodsAreRefusedFieldByField() {
        var faults =
                Reading.faults(
                        pod(
                                """
                                spec:
                                  containers:
                                  - {name: a, resources: {requests: {cpu: "-1"}}}
                                  tolerations:
                                  - {key: a, effect: Sometimes}
                                  - {operator: Equal}
                                  topologySpreadConstraints:
                                  - {maxSkew: 0, topologyKey: zone, whenUnsatisfiable: Perhaps}
                                  affinity:
                                    nodeAffinity:
                                      requiredDuringSchedulingIgnoredDuringExecution:
                                        nodeSelectorTerms:
                                        - matchExpressions:
                                          - {key: a, operator: Within, values: [b]}
                                          - {key: a, operator: In}
                                          - {key: a, operator: Lt, values: [x]}
                                """));
        assertThat(faults)
                .containsExactlyInAnyOrder(
                        "file1:6: Pod default/web: spec.containers[0].resources.requests.cpu: quantity \"-1\" is negative; wanted at least 0",
                        "file1:8: Pod default/web: spec.tolerations[0].effect: effect \"Sometimes\" is unknown; wanted NoSchedule, PreferNoSchedule or NoExecute",
                        "file1:9: Pod default/web: spec.tolerations[1].key: is missing; wanted a taint's key, or the operator Exists for all keys",
                        "file1:11: Pod default/web: spec.topologySpreadConstraints[0].maxSkew: found 0; wanted a whole number from 1 to 2147483647",
                        "file1:11: Pod default/web: spec.topologySpreadConstraints[0].whenUnsatisfiable: found \"Perhaps\"; wanted DoNotSchedule or ScheduleAnyway",
                        "file1:17: Pod default/web: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: operator \"Within\" is unknown; wanted one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte",
                        "file1:18: Pod default/web: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].values: operator In has no values; wanted at least one",
                        "file1:19: Pod default/web: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[2].values: operator Lt has values [x]; wanted exactly one whole number");
    }

    @Test
    void requestsThatOverflowInSumAreRefused() {
        var faults =
                Reading.faults(
                        pod(
                                """
                                spec:
                                  containers:
                                  - {name: a, resources: {requests: {memory: 9E}}}
                                  - {name: b, resources: {requests: {memory: 9E}}}
                                """));
        assertThat(faults)
                .containsExactly(
                        "file1:5: Pod default/web: spec: the containers' requests do not fit a quantity in sum; ask for less");
    }

    @Test
    void labelsOfTenMegabytesAreRefused() {
        var faults =
                Reading.faults(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"labels\":{\"b\":\""
                                + "x".repeat(10 << 20)
                                + "\"}}}");
        assertThat(faults).singleElement().asString().endsWith("wanted at most 63 characters");
    }
}
