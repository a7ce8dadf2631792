package dev.millwright.testing.e2e.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;
import java.util.Objects;

/// That the answers a drain lives on are those a real API server gives.
@ExtendWith(ControlPlaneExtension.class)
final class DrainIT {

    private static final String MINE = "example.com/mine";

    private final ControlPlane controlPlane;
    private final String namespace;
    private final String node;
    private final DrainLoop loop;

    DrainIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        namespace = controlPlane.createNamespace();
        node = namespace + "-node";
        loop = new DrainLoop(controlPlane);
    }

    /// A node that is being deleted, with one pod on it.
    @BeforeEach
    void goingNodeWithAPod() {
        controlPlane.apply(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %1$s
                  finalizers: [karpenter.sh/termination, %2$s]
                  labels: {karpenter.test.sh/testnodeclass: default}
                  annotations: {kwok.x-k8s.io/node: fake}
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: default, namespace: %3$s}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: web, namespace: %3$s, labels: {app: web}}
                spec:
                  nodeName: %1$s
                  terminationGracePeriodSeconds: 1
                  tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}]
                  containers: [{name: web, image: none}]
                """
                        .formatted(node, MINE, namespace));
        Eventually.see("the pod runs", this::phase, "Running"::equals);
        controlPlane.kubectl("delete", "node", node, "--wait=false");
        loop.look();
    }

    @AfterEach
    void letTheNodeGo() {
        controlPlane.kubectl(
                "patch", "node", node, "--type=merge", "-p={\"metadata\":{\"finalizers\":null}}");
        loop.close();
    }

    private String phase() {
        return controlPlane.kubectl(
                "get", "pod", "web", "-n", namespace, "-o=jsonpath={.status.phase}");
    }

    private ObjectName pod() {
        return new ObjectName(namespace, "web");
    }

    private void budget(String name) {
        controlPlane.apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: %s, namespace: %s}
                spec:
                  maxUnavailable: 0
                  selector: {matchLabels: {app: web}}
                """
                        .formatted(name, namespace));
    }

    @Test
    void aDrainedNodeLosesOurFinalizerAndKeepsThoseOfOthers() {
        var finalizers =
                Eventually.see(
                        "our finalizer is gone",
                        () -> {
                            loop.pass(node);
                            return loop.finalizers(node);
                        },
                        List.of(MINE)::equals);

        assertThat(finalizers).containsExactly(MINE);
        assertThat(loop.eventReasons()).contains("FailedDraining", "Evicted");
        assertThat(controlPlane.kubectl("get", "node", node, "-o=jsonpath={.spec.taints[*].key}"))
                .contains("karpenter.sh/disrupted");
    }

    @Test
    void aBudgetThatForbidsItKeepsThePod() {
        budget("one");

        loop.drain(node);
        var ending =
                Eventually.see("an answer", () -> loop.evict(pod()), new Ending.Retry()::equals);

        assertThat(ending).isEqualTo(new Ending.Retry());
        assertThat(loop.codes()).containsOnly("429");
        assertThat(phase()).isEqualTo("Running");
    }

    @Test
    void severalBudgetsAreRecognisedByTheServersWords() {
        budget("one");
        budget("two");
        loop.drain(node);

        assertThat(loop.evict(pod())).isEqualTo(new Ending.Retry());

        assertThat(loop.codes()).containsExactly("500");
        assertThat(loop.eventReasons()).endsWith("FailedDraining");
    }

    @Test
    void anEvictionOfAnotherUidIsAConflict() {
        var answer = loop.write(new ApiWrite.Evict(pod(), "no-such-uid"));

        assertThat(answer).extracting(ApiAnswer::isConflict).isEqualTo(true);
        assertThat(phase()).isEqualTo("Running");
        assertThat(Objects.toString(answer)).contains("409");
    }
}
