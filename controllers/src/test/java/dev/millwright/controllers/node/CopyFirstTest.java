package dev.millwright.controllers.node;

import static dev.millwright.controllers.node.PodDraft.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.node.eviction.EvictionQueue.Entry;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// The only pod of a Deployment leaves when its copy is ready, and not for ever later.
final class CopyFirstTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Stage stage = new Stage();

    @BeforeEach
    void condemn() {
        stage.goingNode("n1").deleteClaim("n1-claim");
    }

    private static PodDraft single(String name) {
        return pod(name, "n1")
                .label("pod-template-hash", "5d9c7")
                .annotation(ControlKeys.MAKE_BEFORE_BREAK, "true")
                .controlledBy("apps/v1", "ReplicaSet", "web-5d9c7");
    }

    private void deployment() {
        stage.rig.apply(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: default}
                spec:
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: main, image: main}]}
                """);
    }

    private void wanted(String pod, @Nullable Instant deadline) {
        stage.queue.add(
                Stage.name(pod),
                stage.pod(pod).meta().uid(),
                new Entry(deadline, deadline != null));
    }

    private long copiesAsked() {
        return stage.rig.api().writes().stream()
                .filter(
                        write ->
                                write instanceof ApiWrite.Patch patch
                                        && patch.type().equals(ResourceType.DEPLOYMENT)
                                        && patch.name().equals(new ObjectName("default", "web"))
                                        && patch.body().toString().contains("uid-a"))
                .count();
    }

    @Test
    void theDeploymentIsAskedForACopyAndThePodStays() {
        deployment();
        stage.pods(single("a"));
        wanted("a", null);

        assertThat(stage.evict("a")).isEqualTo(new Ending.Again(SECOND));
        assertThat(stage.evict("a")).isEqualTo(new Ending.Again(SECOND));

        assertThat(copiesAsked()).isOne();
        assertThat(stage.evictions()).isZero();
        assertThat(stage.rig.eventReasons()).containsExactly("CopyRequested");
    }

    @Test
    void aCopyThatIsNeverReadyIsNotWaitedForForEver() {
        deployment();
        stage.pods(single("a"));
        wanted("a", null);
        stage.evict("a");

        stage.rig.advance(Duration.ofMinutes(10));
        stage.evict("a");

        assertThat(stage.leaving()).containsExactly("a");
        assertThat(stage.rig.eventReasons())
                .containsExactly("CopyRequested", "CopyNotReady", "Evicted");
    }

    @Test
    void aDeploymentThatIsNotThereLeavesAnEviction() {
        stage.pods(single("a"));
        wanted("a", null);

        stage.evict("a");

        assertThat(stage.leaving()).containsExactly("a");
        assertThat(stage.rig.eventReasons()).containsExactly("CopyRefused", "Evicted");
    }

    @Test
    void ofSeveralPodsEachIsEvicted() {
        deployment();
        stage.pods(single("a"), single("b"));
        wanted("a", null);

        stage.evict("a");

        assertThat(copiesAsked()).isZero();
        assertThat(stage.leaving()).containsExactly("a");
    }

    @Test
    void aPodThatIsNoDeploymentsIsEvicted() {
        stage.pods(
                pod("a", "n1")
                        .annotation(ControlKeys.MAKE_BEFORE_BREAK, "true")
                        .controlledBy("apps/v1", "ReplicaSet", "bare"));
        wanted("a", null);

        stage.evict("a");

        assertThat(stage.leaving()).containsExactly("a");
        assertThat(stage.rig.eventReasons()).containsExactly("Evicted");
    }

    @Test
    void theDeadlineOfTheNodeComesFirst() {
        deployment();
        stage.pods(single("a").graceSeconds(60));
        wanted("a", stage.rig.now().plusSeconds(30));

        stage.evict("a");

        assertThat(copiesAsked()).isZero();
        assertThat(stage.leaving()).containsExactly("a");
    }
}
