package dev.millwright.controllers.capacitybuffer;

import static dev.millwright.controllers.capacitybuffer.BufferManifests.BY_DEPLOYMENT;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.BY_TEMPLATE;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.SMALL;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.SPARE;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.buffer;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.template;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.kube.client.ResourceType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/// The pods that stand for a cluster's buffers in a pass.
final class VirtualPodsTest {

    private final BufferManifests cluster = new BufferManifests();

    private List<String> names() {
        return pods().stream().map(pod -> pod.name().name()).toList();
    }

    private List<Pod> pods() {
        return Buffers.all(cluster.rig.view()).stream()
                .flatMap(buffer -> buffer.virtualPods(cluster.rig.now()).stream())
                .toList();
    }

    private void vanishTemplate() {
        cluster.rig.api().vanish(ResourceType.POD_TEMPLATE, new ObjectName("default", "web"));
    }

    @Test
    @Tag("G-VP-1")
    @Tag("G-VP-16")
    void withoutBuffersThereAreNone() {
        assertThat(names()).isEmpty();
    }

    @Test
    @Tag("G-VP-2")
    @Tag("G-VP-12")
    void afterARestartAllBuffersHaveTheirsBeforeAnyIsLookedAt() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("a", BY_TEMPLATE + ", replicas: 1"))
                .apply(buffer("b", BY_TEMPLATE + ", replicas: 2"));

        assertThat(names())
                .containsExactly(
                        "capacity-buffer-a-1", "capacity-buffer-b-1", "capacity-buffer-b-2");
    }

    @Test
    @Tag("G-VP-3")
    void askingTwiceGivesTheSamePods() {
        cluster.rig.apply(template("web", SMALL)).apply(buffer("a", BY_TEMPLATE + ", replicas: 2"));

        assertThat(pods()).isEqualTo(pods());
    }

    @Test
    @Tag("G-VP-4")
    @Tag("G-VP-14")
    void aBufferWhoseTemplateComesLaterHasThemThen() {
        cluster.rig.apply(buffer("a", BY_TEMPLATE + ", replicas: 1"));
        assertThat(names()).isEmpty();

        cluster.rig.apply(template("web", SMALL));
        assertThat(names()).containsExactly("capacity-buffer-a-1");
    }

    @Test
    @Tag("G-VP-5")
    @Tag("G-VP-17")
    void manyAskAtOnceAndAllSeeThemAll() throws InterruptedException, ExecutionException {
        cluster.rig.apply(template("web", SMALL)).apply(buffer("a", BY_TEMPLATE + ", replicas: 5"));
        Callable<Integer> asking = () -> pods().size();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var count : threads.invokeAll(Collections.nCopies(50, asking))) {
                assertThat(count.get()).isEqualTo(5);
            }
        }
    }

    @Test
    @Tag("G-VP-6")
    @Tag("G-VP-29")
    void aBufferOfATemplateHasItsPods() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 2"));
        cluster.run();

        assertThat(names()).containsExactly("capacity-buffer-spare-1", "capacity-buffer-spare-2");
    }

    @Test
    @Tag("G-VP-7")
    @Tag("G-VP-15")
    void aChangedBufferHasOtherPods() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 3"));
        cluster.rig.apply(buffer("spare", BY_TEMPLATE + ", replicas: 1"));

        assertThat(names()).containsExactly("capacity-buffer-spare-1");
    }

    @Test
    @Tag("G-VP-8")
    @Tag("G-VP-13")
    @Tag("G-VP-28")
    void aBufferThatIsNoLongerReadyHasNone() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 3"));
        cluster.run();
        vanishTemplate();

        assertThat(names()).isEmpty();
    }

    @Test
    @Tag("G-VP-9")
    @Tag("G-VP-25")
    void aBufferOfAWorkloadHasItsPods() {
        cluster.rig
                .apply(workload("Deployment", "web", "replicas: 4"))
                .apply(buffer("spare", BY_DEPLOYMENT + ", percentage: 50"));

        assertThat(names()).hasSize(2);
    }

    @Test
    @Tag("G-VP-10")
    void aBufferThatIsGoneHasNone() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 3"))
                .apply(buffer("other", BY_TEMPLATE + ", replicas: 1"));
        cluster.rig.api().vanish(ResourceType.CAPACITY_BUFFER, SPARE);
        cluster.run();

        assertThat(names()).containsExactly("capacity-buffer-other-1");
    }

    @Test
    @Tag("G-VP-11")
    void aBufferThatNeverWasIsNoHarm() {
        cluster.run();

        assertThat(names()).isEmpty();
        assertThat(cluster.rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("G-VP-20")
    @Tag("G-VP-27")
    void aBufferOfNoReplicasHasNone() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 0"));

        assertThat(names()).isEmpty();
    }

    @Test
    @Tag("G-VP-26")
    void aBufferThatRefersToNothingHasNone() {
        cluster.rig.apply(buffer("spare", "replicas: 3"));

        assertThat(names()).isEmpty();
    }

    @Test
    @Tag("G-VP-30")
    void aPodOfAWorkloadsBufferIsLikeTheWorkloadsPods() {
        cluster.rig
                .apply(workload("Deployment", "web", "replicas: 4"))
                .apply(buffer("spare", BY_DEPLOYMENT + ", replicas: 1"));
        var pod = pods().getFirst();

        assertThat(pod.uid()).isEqualTo("uid-spare-1");
        assertThat(pod.labels()).containsEntry("app", "web");
        assertThat(pod.requests().amount("cpu").toString()).isEqualTo("500m");
        assertThat(CapacityBuffer.bufferOf(pod)).isEqualTo(SPARE);
        assertThat(pod.state().isProvisionable()).isTrue();
    }
}
