package dev.millwright.world.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.cluster.NodeFacts;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What becomes of nodes that are not well, and of their pods.
final class NodeLifecycleTest {

    private static List<String> taints(SmallCluster cluster, String node) {
        return NodeFacts.of(cluster.object(ResourceType.NODE, node)).taints().stream()
                .map(Taint::toString)
                .toList();
    }

    private static String pod(String name, String tolerations) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  terminationGracePeriodSeconds: 5
                  tolerations: [%s]
                  containers: [{name: main, image: main}]
                """
                .formatted(name, tolerations);
    }

    @Test
    void aCordonedNodeIsTaintedUntilItIsFree() {
        var cluster = new SmallCluster().withNodes(1, "4", "8Gi").run(1);

        cluster.patch(ResourceType.NODE, "node-0", "spec: {unschedulable: true}");
        assertThat(taints(cluster.run(1), "node-0"))
                .containsExactly("node.kubernetes.io/unschedulable:NoSchedule");

        cluster.patch(ResourceType.NODE, "node-0", "spec: {unschedulable: null}");
        assertThat(taints(cluster.run(1), "node-0")).isEmpty();
    }

    @Test
    void aNodeThatSaysItIsNotReadyIsTainted() {
        var cluster = new SmallCluster().withNodes(1, "4", "8Gi").run(1);

        cluster.plane.kubelets().report("node-0", "Ready", "False", "KubeletNotReady");

        assertThat(taints(cluster.run(1), "node-0"))
                .containsExactly(
                        "node.kubernetes.io/not-ready:NoSchedule",
                        "node.kubernetes.io/not-ready:NoExecute");
    }

    @Test
    void podsOfASilentNodeAreReplacedAfterFiveMinutes() {
        var cluster = new SmallCluster().withNodes(1, "4", "16Gi").apply(ChainTest.WEB).run(60);
        cluster.withNode("spare", "4", "16Gi", "").run(1);

        cluster.plane.kubelets().silence("node-0");

        assertThat(cluster.run(300).places().values()).containsOnly("node-0");
        cluster.run(120);
        assertThat(cluster.pods().filter(pod -> pod.isActive()))
                .hasSize(4)
                .allMatch(pod -> pod.nodeName().equals("spare"));
        assertThat(cluster.pods().filter(pod -> pod.isDeleting())).hasSize(4);
    }

    @Test
    void whoDoesNotTolerateATaintThatEvictsGoesAtOnce() {
        var cluster = new SmallCluster().withNodes(1, "4", "8Gi").run(1);
        cluster.apply(pod("plain", "")).apply(pod("tough", "{key: sick, operator: Exists}"));
        cluster.apply(pod("patient", "{key: sick, operator: Exists, tolerationSeconds: 100}"));
        cluster.run(30);

        cluster.patch(
                ResourceType.NODE, "node-0", "spec: {taints: [{key: sick, effect: NoExecute}]}");

        assertThat(cluster.run(30).places()).containsOnlyKeys("tough", "patient");
        assertThat(cluster.run(100).places()).containsOnlyKeys("tough");
    }

    @Test
    void podsOfANodeThatIsGoneAreCollected() {
        var cluster = new SmallCluster().withNodes(1, "4", "8Gi").run(1);
        cluster.apply(pod("lost", "")).run(30);

        cluster.delete(ResourceType.NODE, "node-0");

        assertThat(cluster.run(20).pods()).hasSize(1);
        assertThat(cluster.run(60).pods()).isEmpty();
    }
}
