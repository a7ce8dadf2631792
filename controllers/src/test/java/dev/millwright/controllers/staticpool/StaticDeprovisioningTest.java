package dev.millwright.controllers.staticpool;

import static dev.millwright.testing.kit.cluster.PoolManifests.called;
import static dev.millwright.testing.kit.cluster.PoolManifests.claim;
import static dev.millwright.testing.kit.cluster.PoolManifests.launchedClaim;
import static dev.millwright.testing.kit.cluster.PoolManifests.node;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

/// Claims that a static pool has too many of are deleted.
final class StaticDeprovisioningTest {

    private final Marks marks = new Marks();
    private final StaticDeprovisioning controller = new StaticDeprovisioning(marks);

    private static String fixed(int replicas) {
        return pool("p", "replicas: " + replicas, "");
    }

    /// A pod on the claim's node; `metadata` and `spec` are put into its own.
    private static String pod(String name, String claim, String metadata, String spec) {
        return """
               apiVersion: v1
               kind: Pod
               metadata: {name: %s, namespace: default%s}
               spec: {nodeName: node-%s, containers: [{name: main}]%s}
               status: {phase: Running}
               """
                .formatted(name, metadata, claim, spec);
    }

    private static final String OF_DAEMON_SET =
            ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]";
    private static final String GUARDED = ", annotations: {karpenter.sh/do-not-disrupt: \"true\"}";

    /// Claims with nodes, named by the letters.
    private static Rig withNodes(String pool, String letters) {
        var rig = rig(pool);
        for (var letter : letters.split("(?<=.)(?=.)", -1)) {
            rig.apply(launchedClaim(letter, "p")).apply(node(letter, "p"));
        }
        return rig;
    }

    private static List<String> deleted(Rig rig) {
        return rig.api().writes().stream()
                .filter(ApiWrite.Delete.class::isInstance)
                .map(write -> ((ApiWrite.Delete) write).name().name())
                .toList();
    }

    private List<String> run(Rig rig) {
        rig.run(controller, "p");
        return deleted(rig);
    }

    @Test
    @Tag("K-SD-1")
    void aPoolOfAnotherProviderIsLeftAlone() {
        var strange = strangersPool("p").replace("template:", "replicas: 0\n  template:");

        assertThat(run(withNodes(strange, "ab"))).isEmpty();
    }

    @Test
    @Tag("K-SD-2")
    void aDynamicPoolIsLeftAlone() {
        assertThat(run(withNodes(pool("p"), "ab"))).isEmpty();
    }

    @Test
    @Tag("K-SD-3")
    void aPoolBeingDeletedIsLeftAlone() {
        var deleting =
                fixed(0).replace(
                                "generation: 1}",
                                "generation: 1, deletionTimestamp: \"2026-01-01T12:00:00Z\", finalizers: [a/b]}");

        assertThat(run(withNodes(deleting, "ab"))).isEmpty();
    }

    @Test
    @Tag("K-SD-4")
    void aPoolWithFewEnoughNodesIsLeftAlone() {
        var rig = withNodes(fixed(2), "ab");

        assertThat(rig.run(controller, "p")).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(deleted(rig)).isEmpty();
    }

    @Test
    @Tag("K-SD-5")
    void claimsThatAreGoingDoNotCount() {
        var rig = withNodes(fixed(2), "abcd");
        rig.api()
                .write(
                        new ApiWrite.Delete(
                                ResourceType.NODE_CLAIM, new ObjectName("", "a"), null, null));
        marks.mark("fake:///b");
        rig.api().forgetWrites();

        assertThat(run(rig)).isEmpty();
    }

    @Test
    @Tag("K-SD-6")
    void theSurplusGoes() {
        var rig = withNodes(fixed(2), "abcde");

        assertThat(rig.run(controller, "p")).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(deleted(rig)).hasSize(3);
        assertThat(run(rig)).hasSize(3);
    }

    @Test
    @Tag("K-SD-7")
    void aPoolOfNoReplicasLosesAll() {
        assertThat(run(withNodes(fixed(0), "abc"))).hasSize(3);
    }

    @Test
    @Tag("K-SD-8")
    void aPoolWithoutClaimsIsLeftAlone() {
        assertThat(run(rig(fixed(0)))).isEmpty();
    }

    @Test
    @Tag("K-SD-9")
    void aClaimThatCannotBeDeletedIsTriedAgain() {
        var rig = withNodes(fixed(0), "ab");
        rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "out of order"));

        assertThat(rig.run(controller, "p")).isInstanceOf(Ending.Failed.class);
        assertThat(rig.claim("b").isDeleting()).isTrue();

        rig.run(controller, "p");
        assertThat(rig.claim("a").isDeleting()).isTrue();
    }

    @Test
    @Tag("K-SD-10")
    void claimsWithoutAMachineGoFirst() {
        var rig = withNodes(fixed(2), "ab");
        rig.apply(claim("x", "p", "")).apply(claim("y", "p", ""));

        assertThat(run(rig)).containsExactly("x", "y");
    }

    @Test
    @Tag("K-SD-11")
    void nodesWithNothingButDaemonsGoBeforeOthers() {
        var rig = withNodes(fixed(2), "abc");
        rig.apply(pod("web-a", "a", "", ""))
                .apply(pod("web-b", "b", "", ""))
                .apply(pod("log-c", "c", OF_DAEMON_SET, ""));

        assertThat(run(rig)).containsExactly("c");
    }

    @Test
    @Tag("K-SD-12")
    void nodesInUseGoWhenEmptyOnesDoNotSuffice() {
        var rig = withNodes(fixed(1), "abc");
        rig.apply(pod("web-a", "a", "", "")).apply(pod("web-b", "b", "", ""));

        assertThat(run(rig)).containsExactly("c", "a");
    }

    /// Four nodes with daemons or nothing of cost, cheap pods, dear pods and guarded ones, twice.
    @ParameterizedTest
    @CsvSource({
        "6, daemon-1 daemon-2",
        "4, cheap-1 cheap-2",
        "2, dear-1 dear-2",
        "0, guarded-1 guarded-2"
    })
    @Tag("K-SD-13")
    @Tag("K-SD-14")
    @Tag("K-SD-15")
    @Tag("K-SD-16")
    void nodesGoInTheOrderOfWhatTheyCost(int replicas, String lastToGo) {
        var rig = rig(fixed(replicas));
        for (var number : List.of("1", "2")) {
            for (var kind : List.of("guarded", "dear", "cheap", "daemon")) {
                var name = kind + "-" + number;
                rig.apply(launchedClaim(name, "p")).apply(node(name, "p"));
            }
            rig.apply(pod("a" + number, "guarded-" + number, GUARDED, ""))
                    .apply(pod("b" + number, "dear-" + number, "", ", priority: 100000000"))
                    .apply(pod("c" + number, "cheap-" + number, "", ""))
                    .apply(pod("d" + number, "daemon-" + number, OF_DAEMON_SET, ""));
        }
        var gone = run(rig);

        assertThat(gone).hasSize(8 - replicas);
        assertThat(gone.subList(gone.size() - 2, gone.size()))
                .containsExactly(lastToGo.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource({"3, 5, 1", "5, 5, 0"})
    @Tag("K-SD-17")
    @Tag("K-SD-18")
    void aPoolIsLookedAtWhenItsNumberChanged(int before, int after, int calls) {
        var rig = rig(fixed(before));

        assertThat(called(rig, controller, () -> rig.apply(fixed(after)))).hasSize(calls);
    }

    @Test
    void aClaimThatIsNewCallsItsStaticPool() {
        var rig = rig(fixed(1), pool("q"));

        assertThat(
                        called(
                                rig,
                                controller,
                                () ->
                                        rig.apply(launchedClaim("a", "p"))
                                                .apply(launchedClaim("b", "q"))))
                .containsExactly(new ObjectName("", "p"));
    }

    @Test
    void aDaemonThatMustNotBeDisturbedIsNotNothing() {
        var rig = withNodes(fixed(1), "ab");
        rig.apply(pod("log-a", "a", OF_DAEMON_SET + GUARDED, "")).apply(pod("web-b", "b", "", ""));

        assertThat(run(rig)).containsExactly("b");
    }

    @Test
    void anOlderNodeIsCheaperToLose() {
        var rig = rig(fixed(1));
        rig.apply(
                launchedClaim("a", "p")
                        .replace("  requirements: []", "  expireAfter: 24h\n  requirements: []"));
        rig.apply(node("a", "p")).apply(pod("web-a", "a", "", ""));
        rig.advance(Duration.ofHours(12));
        rig.apply(
                launchedClaim("b", "p")
                        .replace("  requirements: []", "  expireAfter: 24h\n  requirements: []"));
        rig.apply(node("b", "p")).apply(pod("web-b", "b", "", ""));

        assertThat(run(rig)).containsExactly("a");
    }
}
