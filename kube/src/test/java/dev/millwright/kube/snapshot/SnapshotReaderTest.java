package dev.millwright.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.cluster.Workload;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Source;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

class SnapshotReaderTest {

    private static final String DEPLOYMENT =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: shop}
            spec:
              replicas: 3
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, resources: {requests: {cpu: 500m}}}]}
            """;

    private static List<String> podNames(String... texts) {
        return Reading.of(texts).problem().snapshot().pods().stream()
                .map(Pod::name)
                .map(ObjectName::toString)
                .toList();
    }

    @Test
    void listsOfAnyDepthAreUnfolded() {
        assertThat(
                        podNames(
                                """
                                {"apiVersion": "v1", "items": [
                                  {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}},
                                  {"apiVersion": "v1", "kind": "List", "items": [
                                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b", "namespace": "x"}}]}
                                ], "kind": "List"}
                                """))
                .containsExactly("default/a", "x/b");
    }

    @Test
    void itemsOfATypedListTakeItsKind() {
        assertThat(
                        podNames(
                                "{\"items\": [{\"metadata\": {\"name\": \"a\"}}], \"kind\": \"PodList\", \"apiVersion\": \"v1\"}"))
                .containsExactly("default/a");
    }

    @Test
    void jsonAndYamlGiveTheSameProblem() {
        var yaml = Reading.of("kind: Pod\napiVersion: v1\nmetadata: {name: a, labels: {b: c}}\n");
        var json =
                Reading.of(
                        "{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"a\", \"labels\": {\"b\": \"c\"}}}");
        assertThat(json.problem()).isEqualTo(yaml.problem());
    }

    @Test
    void standardInputIsRead() {
        var bytes =
                "{kind: Pod, apiVersion: v1, metadata: {name: a}}".getBytes(StandardCharsets.UTF_8);
        var file = Reading.of(Source.standardInput(new ByteArrayInputStream(bytes)));
        assertThat(file.problem().snapshot().pods()).hasSize(1);
    }

    @Test
    void unknownKindsAreCountedAndLeftOut() {
        var file =
                Reading.of(
                        "{kind: Secret, apiVersion: v1, metadata: {name: a}}\n---\n{kind: Node, apiVersion: example.com/v1, metadata: {name: a}}");
        assertThat(file.notes())
                .containsExactly(
                        "left out 2 objects of kinds a plan does not look at: Node 1, Secret 1");
        assertThat(file.problem().snapshot().nodes()).isEmpty();
    }

    @Test
    void anOverlayChangesThePriceOfWhatItMatches() {
        var file =
                Reading.of(
                        """
                        {kind: List, apiVersion: v1, items: [
                        {kind: NodeOverlay, apiVersion: karpenter.sh/v1alpha1, metadata: {name: discount},
                         spec: {price: "0.05", requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [small]}]}},
                        {kind: NodePool, apiVersion: karpenter.sh/v1, metadata: {name: default},
                         spec: {template: {spec: {requirements: []}}}}],
                        instanceTypes: [
                        {name: small, arch: amd64, os: [linux], capacity: {cpuMilli: 1000, memoryBytes: 1000, pods: 10},
                         allocatable: {cpuMilli: 1000, memoryBytes: 1000, pods: 10},
                         offerings: [{zone: a, capacityType: spot, price: 1}]}]}
                        """);
        assertThat(file.notes())
                .containsExactly("NodeOverlay discount: applies to 1 instance types");
        assertThat(file.problem().catalogs().get("default"))
                .flatExtracting(type -> type.offerings())
                .extracting(offering -> offering.pricePerHour())
                .containsExactly(0.05);
    }

    @Test
    void aFaultyOverlaySaysSoAndStopsNothing() {
        assertThat(
                        Reading.of(
                                        "{kind: NodeOverlay, apiVersion: karpenter.sh/v1alpha1, metadata: {name: discount}, spec: {price: cheap}}")
                                .notes())
                .singleElement()
                .asString()
                .startsWith("NodeOverlay discount: ")
                .contains("cheap");
    }

    @Test
    void aDeploymentStandsForItsPods() {
        var pods = Reading.of(DEPLOYMENT).problem().snapshot().pods();
        assertThat(pods.stream().map(pod -> pod.name().name()))
                .containsExactly("web-1", "web-2", "web-3");
        var pod = pods.getFirst();
        assertThat(pod.uid()).isEqualTo("uid-shop-web-1");
        assertThat(pod.requests()).isEqualTo(Resources.parse("cpu", "500m", "pods", "1"));
        assertThat(pod.state().isProvisionable()).isTrue();
        assertThat(pod.state().isOwnedBy("apps/v1", "Deployment")).isTrue();
    }

    @Test
    void aDeploymentWithPodsMakesNone() {
        var pod =
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: web-5d8f-x
                  namespace: shop
                  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-5d8f, controller: true}]
                """;
        assertThat(podNames(DEPLOYMENT, pod)).containsExactly("shop/web-5d8f-x");
        assertThat(podNames(DEPLOYMENT, pod.replace("name: web-5d8f", "name: web-api-5d8f")))
                .hasSize(4);
    }

    @Test
    void aPodWithoutOwnerThatIsSelectedIsAdopted() {
        var pod =
                "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop, labels: {app: web}}}";
        assertThat(podNames(DEPLOYMENT, pod)).containsExactly("shop/a");
    }

    @Test
    void aReplicaSetLeavesThePodsToItsDeployment() {
        var replicaSet =
                DEPLOYMENT
                        .replace("kind: Deployment", "kind: ReplicaSet")
                        .replace(
                                "name: web,",
                                "name: web-5d8f, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}],");
        assertThat(podNames(DEPLOYMENT, replicaSet)).hasSize(3);
        assertThat(podNames(replicaSet)).hasSize(3);
    }

    @Test
    void withoutReplicasNothingIsMade() {
        assertThat(podNames(DEPLOYMENT.replace("  replicas: 3\n", ""))).isEmpty();
    }

    @Test
    void aStatefulSetCountsFromZeroAndBringsItsClaims() {
        var text =
                DEPLOYMENT.replace("kind: Deployment", "kind: StatefulSet")
                        + "  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast}}]\n";
        var snapshot = Reading.of(text).problem().snapshot();
        assertThat(snapshot.pods().getFirst().name().name()).isEqualTo("web-0");
        var claim = snapshot.storage().claims().get(new ObjectName("shop", "data-web-0"));
        assertThat(claim.storageClassName()).isEqualTo("fast");
        assertThat(snapshot.workloads())
                .containsExactly(
                        new Workload(
                                Workload.Kind.STATEFUL_SET,
                                new ObjectName("shop", "web"),
                                Selector.ofLabels(Map.of("app", "web"))));
    }

    @Test
    void aJobThatEndedMakesNoPods() {
        var job =
                "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {parallelism: 2, completions: 5, template: {spec: {}}}\n";
        assertThat(podNames(job)).containsExactly("default/j-1", "default/j-2");
        assertThat(podNames(job + "status: {succeeded: 4}\n")).containsExactly("default/j-1");
        assertThat(podNames(job + "status: {completionTime: '2026-01-01T00:00:00Z'}\n")).isEmpty();
    }

    @Test
    void nodesAndClaimsAreJoinedByProviderId() {
        var nodes =
                Reading.of(
                                """
                                {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {karpenter.sh/registered: "true"}}, spec: {providerID: p1}}
                                ---
                                {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: 2}}}
                                ---
                                {apiVersion: v1, kind: Node, metadata: {name: n3}}
                                ---
                                {apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: c1, deletionTimestamp: '2026-01-01T00:00:00Z'}, status: {providerID: p1}}
                                ---
                                {apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: c3}, status: {nodeName: n3}}
                                ---
                                {apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: c4}, status: {providerID: p4, capacity: {cpu: 2}}}
                                ---
                                {apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: unlaunched}}
                                """)
                        .problem()
                        .snapshot()
                        .nodes();
        assertThat(nodes.stream().map(StateNode::name)).containsExactly("n1", "n2", "n3", "c4");
        assertThat(nodes.stream().map(StateNode::isManaged))
                .containsExactly(true, false, true, true);
        assertThat(nodes.stream().map(StateNode::isMarkedForDeletion))
                .containsExactly(true, false, false, false);
    }

    @Test
    void attachmentLimitsComeFromTheCsiNode() {
        var node =
                Reading.of(
                                """
                                {apiVersion: v1, kind: Node, metadata: {name: n}}
                                ---
                                {apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: n}, spec: {drivers: [{name: a, allocatable: {count: 25}}, {name: b, allocatable: {}}]}}
                                """)
                        .problem()
                        .snapshot()
                        .nodes()
                        .getFirst();
        assertThat(node.volumeLimits()).isEqualTo(Map.of("a", 25));
    }

    @Test
    void storageIsRead() {
        var storage =
                Reading.of(
                                """
                                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, annotations: {pv.kubernetes.io/bind-completed: "yes"}}, spec: {volumeName: v}, status: {phase: Bound}}
                                ---
                                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {awsElasticBlockStore: {}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: failure-domain.beta.kubernetes.io/zone, operator: In, values: [a]}]}]}}}}
                                ---
                                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: s, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}, provisioner: kubernetes.io/aws-ebs, volumeBindingMode: WaitForFirstConsumer, allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [a, b]}]}]}
                                """)
                        .problem()
                        .snapshot()
                        .storage();
        var claim = storage.claims().get(new ObjectName("default", "c"));
        assertThat(claim.isBindCompleted()).isTrue();
        assertThat(storage.volumes().get("v").driver()).isEqualTo("ebs.csi.aws.com");
        assertThat(storage.volumes().get("v").nodeAffinity())
                .containsExactly(List.of(Requirement.in(LabelKeys.ZONE, "a")));
        assertThat(storage.defaultClass().allowedTopologies())
                .containsExactly(List.of(Requirement.in(LabelKeys.ZONE, "a", "b")));
        assertThat(storage.defaultClass().isImmediate()).isFalse();
    }

    @Test
    void everyNamespaceInUseBearsItsName() {
        var snapshot =
                Reading.of(
                                "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {team: x}}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: b}}")
                        .problem()
                        .snapshot();
        assertThat(snapshot.namespaces())
                .isEqualTo(
                        Map.of(
                                "a",
                                Map.of("team", "x", "kubernetes.io/metadata.name", "a"),
                                "b",
                                Map.of("kubernetes.io/metadata.name", "b")));
    }

    @Test
    void anEmptyFileIsRefused() {
        assertThat(Reading.faults("# nothing\n"))
                .containsExactly(
                        "file1: holds nothing; wanted Kubernetes objects or a problem file");
    }

    @Test
    void allFaultsOfAllFilesAreToldAtOnce() {
        assertThat(
                        Reading.faults(
                                "kind: Pod\napiVersion: v1\nmetadata: {}\n",
                                "a: [",
                                "{kind: Pod, metadata: {name: x}}",
                                "just words"))
                .satisfiesExactly(
                        fault ->
                                assertThat(fault)
                                        .isEqualTo(
                                                "file1:3: Pod: metadata.name: is missing; wanted the object's name"),
                        fault -> assertThat(fault).startsWith("file2:1: is not YAML: "),
                        fault ->
                                assertThat(fault)
                                        .isEqualTo(
                                                "file3:1: Pod x: apiVersion: is missing; wanted a version such as v1 or karpenter.sh/v1"),
                        fault ->
                                assertThat(fault)
                                        .isEqualTo(
                                                "file4:1: found \"just words\"; wanted Kubernetes objects or a problem file"));
    }
}
