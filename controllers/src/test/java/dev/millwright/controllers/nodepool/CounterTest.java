package dev.millwright.controllers.nodepool;

import static dev.millwright.testing.kit.cluster.PoolManifests.claim;
import static dev.millwright.testing.kit.cluster.PoolManifests.launchedClaim;
import static dev.millwright.testing.kit.cluster.PoolManifests.node;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.counter.CounterController;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// What a pool has, in its status.
final class CounterTest {

    private static final Resources NOTHING =
            Resources.parse(
                    "cpu", "0", "memory", "0", "pods", "0", "ephemeral-storage", "0", "nodes", "0");

    private final Marks marks = new Marks();
    private final CounterController controller = new CounterController(marks, 1);

    private Rig counted(String... manifests) {
        var rig = rig(manifests);
        rig.run(controller, "p");
        return rig;
    }

    private static Resources resources(Rig rig) {
        return rig.pool("p").status().resources();
    }

    private static void delete(Rig rig, String claim) {
        var name = new ObjectName("", claim);
        rig.api().write(new ApiWrite.Delete(ResourceType.NODE_CLAIM, name, null, null));
    }

    @Test
    @Tag("I-CNT-1")
    void aPoolOfAnotherProviderIsLeftAlone() {
        assertThat(counted(strangersPool("p")).api().writes()).isEmpty();
    }

    @Test
    @Tag("I-CNT-2")
    void aPoolWithoutNodesHasNothingOfEverything() {
        assertThat(resources(counted(pool("p")))).isEqualTo(NOTHING);
    }

    @Test
    @Tag("I-CNT-3")
    void theClaimIsCountedUntilTheNodeIsInitialized() {
        var rig = counted(pool("p"), launchedClaim("a", "p"));
        assertThat(resources(rig))
                .isEqualTo(
                        Resources.parse(
                                "cpu",
                                "4",
                                "memory",
                                "8Gi",
                                "pods",
                                "10",
                                "ephemeral-storage",
                                "20Gi",
                                "nodes",
                                "1"));

        rig.apply(node("a", "p"));
        rig.run(controller, "p");
        assertThat(resources(rig))
                .isEqualTo(
                        Resources.parse(
                                "cpu",
                                "4",
                                "memory",
                                "7Gi",
                                "pods",
                                "10",
                                "ephemeral-storage",
                                "20Gi",
                                "nodes",
                                "1"));
    }

    @Test
    @Tag("I-CNT-4")
    void aNewNodeCounts() {
        var rig = counted(pool("p"), launchedClaim("a", "p"), node("a", "p"));
        rig.apply(launchedClaim("b", "p")).apply(node("b", "p"));
        rig.run(controller, "p");

        assertThat(resources(rig))
                .isEqualTo(
                        Resources.parse(
                                "cpu",
                                "8",
                                "memory",
                                "14Gi",
                                "pods",
                                "20",
                                "ephemeral-storage",
                                "40Gi",
                                "nodes",
                                "2"));
    }

    @Test
    @Tag("I-CNT-5")
    void aNodeThatGoesCountsNoLonger() {
        var rig =
                counted(
                        pool("p"),
                        launchedClaim("a", "p"),
                        node("a", "p"),
                        launchedClaim("b", "p"),
                        node("b", "p"));
        delete(rig, "a");
        rig.run(controller, "p");

        assertThat(resources(rig).amount(Resources.CPU).units()).isEqualTo(4);
        assertThat(resources(rig).amount(Resources.NODES).units()).isEqualTo(1);
    }

    @Test
    @Tag("I-CNT-6")
    void withoutItsNodesAPoolHasNothingAgain() {
        var rig =
                counted(
                        pool("p"),
                        launchedClaim("a", "p")
                                .replace("cpu: \"4\"", "cpu: \"4\", example.com/gpu: 1"));
        assertThat(resources(rig).has("example.com/gpu")).isTrue();
        delete(rig, "a");
        rig.run(controller, "p");

        assertThat(resources(rig)).isEqualTo(NOTHING);
    }

    @Test
    @Tag("I-CNT-7")
    void aPoolWithoutNodesHasNone() {
        assertThat(counted(pool("p")).pool("p").status().nodes()).isZero();
    }

    @Test
    @Tag("I-CNT-8")
    void aPoolWithTwoNodesHasTwo() {
        var rig =
                counted(
                        pool("p"),
                        launchedClaim("a", "p"),
                        node("a", "p"),
                        launchedClaim("b", "p"),
                        node("b", "p"));

        assertThat(rig.pool("p").status().nodes()).isEqualTo(2);
    }

    @Test
    @Tag("I-CNT-9")
    void theNumberFollowsNodesThatComeAndGo() {
        var rig = counted(pool("p"), launchedClaim("a", "p"), node("a", "p"));
        rig.apply(launchedClaim("b", "p"));
        rig.run(controller, "p");
        assertThat(rig.pool("p").status().nodes()).isEqualTo(2);

        delete(rig, "a");
        rig.run(controller, "p");
        assertThat(rig.pool("p").status().nodes()).isEqualTo(1);
    }

    @Test
    @Tag("I-CNT-10")
    void everyPoolHasItsOwnNumber() {
        var rig =
                counted(
                        pool("p"),
                        pool("q", "replicas: 1", ""),
                        launchedClaim("a", "p"),
                        launchedClaim("b", "p"),
                        launchedClaim("c", "q"));
        rig.run(controller, "q");

        assertThat(rig.pool("p").status().nodes()).isEqualTo(2);
        assertThat(rig.pool("q").status().nodes()).isEqualTo(1);
    }

    @Test
    @Tag("I-CNT-11")
    void aStaticPoolCountsWhatItHasAndNotWhatItWants() {
        var rig = counted(pool("p", "replicas: 5", ""), launchedClaim("a", "p"), node("a", "p"));

        assertThat(rig.pool("p").status().nodes()).isEqualTo(1);
    }

    @Test
    void aMarkedNodeCountsNoLonger() {
        marks.mark("fake:///a");

        assertThat(resources(counted(pool("p"), launchedClaim("a", "p")))).isEqualTo(NOTHING);
    }

    @Test
    void aNodeWithoutItsClaimCountsForThePoolItNames() {
        assertThat(counted(pool("p"), node("a", "p")).pool("p").status().nodes()).isEqualTo(1);
    }

    @Test
    void nothingIsCountedWhileAClaimIsNotLaunched() {
        var rig = rig(pool("p"), claim("a", "p", ""));
        var ending = rig.run(controller, "p");

        assertThat(rig.api().writes()).isEmpty();
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(1)));
    }

    @Test
    void thePoolIsCountedAgainAfterFiveSecondsAndWrittenOnlyWhenItChanged() {
        var rig = counted(pool("p"), launchedClaim("a", "p"));
        rig.api().forgetWrites();
        var ending = rig.run(controller, "p");

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(5)));
        assertThat(rig.api().writes()).isEmpty();
    }
}
