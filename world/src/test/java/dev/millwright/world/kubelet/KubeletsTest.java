package dev.millwright.world.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.workload.SmallCluster;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class KubeletsTest {

    private static final Taint STARTUP = new Taint("example.com/starting", "", Effect.NO_SCHEDULE);

    private static final String BOUND_POD =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: pod, labels: {app: web}}
            spec:
              nodeName: i-1
              tolerations: [{operator: Exists}]
              containers: [{name: web, image: web}]
            """;

    private static Machine machine() {
        var resources =
                Resources.parse("cpu", "4", "memory", "16Gi", "pods", "58", "nvidia.com/gpu", "1");
        return new Machine(
                "sim:///zone-a/i-1",
                "image",
                new TreeMap<>(Map.of(LabelKeys.ZONE, "zone-a")),
                new TreeMap<>(),
                resources,
                resources,
                SmallCluster.START,
                false);
    }

    private static MachineClaim claim() {
        return new MachineClaim(
                "claim",
                "uid",
                SmallCluster.START,
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                List.of(new Taint("team", "a", Effect.NO_SCHEDULE)),
                List.of(STARTUP),
                Resources.NONE,
                new NodeClassRef("", "", ""),
                "",
                "");
    }

    private static NodeFacts node(SmallCluster cluster) {
        return NodeFacts.of(cluster.object(ResourceType.NODE, "i-1"));
    }

    private static SmallCluster joined() {
        var cluster = new SmallCluster();
        cluster.plane.kubelets().join(machine(), claim());
        return cluster;
    }

    @Test
    void aNodeRegistersWithTheTaintsOfItsClaim() {
        var node = node(joined());

        assertThat(node.taints().stream().map(Taint::toString))
                .containsExactlyInAnyOrder(
                        "team=a:NoSchedule",
                        "example.com/starting:NoSchedule",
                        "karpenter.sh/unregistered:NoExecute",
                        "node.kubernetes.io/not-ready:NoSchedule");
        assertThat(node.ready()).isEqualTo(NodeFacts.Ready.FALSE);
        assertThat(node.providerId()).isEqualTo("sim:///zone-a/i-1");
        assertThat(node.labels()).containsEntry(LabelKeys.HOSTNAME, "i-1");
    }

    @Test
    void aNodeGetsReadyAndLosesTheTaintsOfItsStart() {
        var node = node(joined().run(120));

        assertThat(node.ready()).isEqualTo(NodeFacts.Ready.TRUE);
        assertThat(node.taints().stream().map(Taint::toString))
                .containsExactlyInAnyOrder(
                        "team=a:NoSchedule", "karpenter.sh/unregistered:NoExecute");
    }

    @Test
    void devicesShowUpLate() {
        var cluster = joined();

        assertThat(gpus(cluster)).isEqualTo("0");
        assertThat(gpus(cluster.run(120))).isEqualTo("1");
    }

    private static String gpus(SmallCluster cluster) {
        return Reading.text(node(cluster).object(), "status", "allocatable", "nvidia.com/gpu");
    }

    @Test
    void theNodesDriversDeclareTheirLimits() {
        var limits = joined().object(ResourceType.CSI_NODE, "i-1");

        assertThat(
                        Reading.number(
                                Reading.list(limits, "spec", "drivers").getFirst(),
                                "allocatable",
                                "count"))
                .isEqualTo(25);
    }

    @Test
    void aBoundPodStartsAndGetsReady() {
        var cluster = joined().apply(BOUND_POD).run(30);

        var pod = cluster.pods().findFirst().orElseThrow();
        assertThat(pod.phase()).isEqualTo("Running");
        assertThat(pod.isReady()).isTrue();
    }

    @Test
    void aDeletedPodStopsWithinItsGrace() {
        var cluster = joined().apply(BOUND_POD).run(30);

        cluster.delete(ResourceType.POD, "pod");

        assertThat(cluster.pods()).hasSize(1);
        assertThat(cluster.run(30).pods()).isEmpty();
    }

    @Test
    void aSilentNodeIsUnknownWithinAMinuteAndHeals() {
        var cluster = joined().apply(BOUND_POD).run(120);

        cluster.plane.kubelets().silence("i-1");
        assertThat(node(cluster.run(39)).ready()).isEqualTo(NodeFacts.Ready.TRUE);
        assertThat(node(cluster.run(12)).ready()).isEqualTo(NodeFacts.Ready.UNKNOWN);
        assertThat(cluster.pods()).noneMatch(pod -> pod.isReady());
        assertThat(
                        node(cluster)
                                .has(
                                        new Taint(
                                                "node.kubernetes.io/unreachable",
                                                "",
                                                Effect.NO_EXECUTE)))
                .isTrue();

        cluster.plane.kubelets().heal("i-1");
        cluster.run(1);
        assertThat(node(cluster).ready()).isEqualTo(NodeFacts.Ready.TRUE);
        assertThat(cluster.pods()).allMatch(pod -> pod.isReady());
        assertThat(node(cluster).taints()).hasSize(2);
    }

    @Test
    void aSilentKubeletStopsItsPodsOnceItIsHeard() {
        var cluster = joined().apply(BOUND_POD).run(120);
        cluster.plane.kubelets().silence("i-1");

        cluster.delete(ResourceType.POD, "pod");
        assertThat(cluster.run(600).pods()).hasSize(1);

        cluster.plane.kubelets().heal("i-1");
        assertThat(cluster.run(1).pods()).isEmpty();
    }

    @Test
    void theNodeOfADeadMachineGoesAndItsPodsAreCollected() {
        var cluster = joined().apply(BOUND_POD).run(120);

        cluster.plane.kubelets().die("sim:///zone-a/i-1");
        cluster.run(180);

        assertThat(cluster.store.all(ResourceType.NODE)).isEmpty();
        assertThat(cluster.pods()).isEmpty();
    }
}
