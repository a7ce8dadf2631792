package dev.millwright.controllers.state;

import static dev.millwright.controllers.state.ClusterStage.claimOf;
import static dev.millwright.controllers.state.ClusterStage.ours;
import static dev.millwright.controllers.state.ClusterStage.waiting;
import static dev.millwright.testing.kit.cluster.Manifest.claim;
import static dev.millwright.testing.kit.cluster.Manifest.node;
import static dev.millwright.testing.kit.cluster.Manifest.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// What the pods of a node take of it, however the news of them comes.
final class PodUsageTest {

    private final ClusterStage given = new ClusterStage();

    @Tag("G15")
    @Test
    void aNodeWithItsClaimsNameLeavesNothingBehind() {
        given.with(ours("same"), claim("same").providerId("fake://same"));
        assertThat(given.names()).containsExactly("same");

        given.gone(ResourceType.NODE_CLAIM, "same");
        given.gone(ResourceType.NODE, "same");

        assertThat(given.nodes()).isEmpty();
    }

    @Tag("G16")
    @Test
    void aPodWithoutANodeTakesNothing() {
        given.with(ours("n1"), pod("a").requests("cpu", "1"));

        assertThat(given.requested("n1")).isZero();
    }

    @Tag("G17")
    @Test
    void aPodTakesFromItsNodeOnceItIsBound() {
        given.with(ours("n1"), waiting("a").requests("cpu", "1500m"));

        given.with(pod("a").requests("cpu", "1500m").on("n1"));

        assertThat(given.requested("n1")).isEqualTo(1.5);
    }

    @Tag("G18")
    @Test
    void aPodThatWasThereBeforeItsNodeTakesFromIt() {
        given.with(pod("a").requests("cpu", "1500m").on("n1"));

        given.with(ours("n1"));

        assertThat(given.requested("n1")).isEqualTo(1.5);
    }

    @Tag("G19")
    @Test
    void aPodThatIsGoneTakesNothing() {
        given.with(ours("n1"));
        given.with(pod("a").requests("cpu", "1").on("n1"), pod("b").requests("cpu", "2").on("n1"));

        given.gone(ResourceType.POD, "a");

        assertThat(given.requested("n1")).isEqualTo(2);
        assertThat(given.with(waiting("c").requests("cpu", "2")).placeOf("c")).isEqualTo("n1");
    }

    @Tag("G20")
    @Test
    void aPodThatEndedTakesNothing() {
        given.with(ours("n1"));
        given.with(
                pod("a").requests("cpu", "4").on("n1").phase("Succeeded"),
                pod("b").requests("cpu", "4").on("n1").phase("Failed"));

        assertThat(given.requested("n1")).isZero();
        assertThat(given.with(waiting("c").requests("cpu", "4")).placeOf("c")).isEqualTo("n1");
    }

    @Tag("G21")
    @Test
    void aNodeThatIsGoneIsNotKnown() {
        given.with(ours("n1"), pod("a").requests("cpu", "1").on("n1"));

        given.gone(ResourceType.NODE, "n1");

        assertThat(given.nodes()).isEmpty();
        assertThat(given.with(waiting("b").requests("cpu", "1")).placeOf("b")).isEqualTo("none");
    }

    @Tag("G22")
    @Test
    void aPodIsWhereItWasLastHeardOfWhateverWasMissed() {
        given.with(ours("n1"), ours("n2"));
        given.with(pod("a").requests("cpu", "1").on("n1"), pod("b").requests("cpu", "2").on("n1"));

        // A watch that was cut: pod a is another one by now, elsewhere, and pod b is gone.
        var later = pod("a").uid("another").requests("cpu", "3").on("n2").value();
        given.rig().view().cache(Kind.POD).replaceAll(List.of(later), "9999999");

        assertThat(given.requested("n1")).isZero();
        assertThat(given.requested("n2")).isEqualTo(3);
    }

    @Tag("G23")
    @Test
    void afterAnyComingAndGoingTheSumIsThatOfThePodsThatAreThere() {
        given.with(ours("n1"));
        var there = new TreeMap<String, Integer>();
        var dice = new Random(23);

        for (var round = 0; round < 200; round++) {
            var name = "p" + dice.nextInt(20);
            if (there.remove(name) != null) {
                given.gone(ResourceType.POD, name);
            } else {
                var millis = 1 + dice.nextInt(100);
                there.put(name, millis);
                given.with(pod(name).uid(name + round).requests("cpu", millis + "m").on("n1"));
            }
        }

        var sum = there.values().stream().mapToInt(each -> each).sum();
        assertThat(Math.round(given.requested("n1") * 1_000)).isEqualTo(sum);
    }

    @Tag("G24")
    @Test
    void whatDaemonsTakeIsAlsoKnownByItself() {
        given.with(ours("n1"));
        given.with(
                pod("a").requests("cpu", "1").on("n1"),
                pod("b").requests("cpu", "500m").on("n1").ofDaemonSet("logs"));

        assertThat(given.requested("n1")).isEqualTo(1.5);
        assertThat(given.requestedByDaemons("n1")).isEqualTo(0.5);
    }

    @Tag("G28")
    @Test
    void aNodeThatGetsItsProviderIdLaterStaysOneNode() {
        given.with(node("n1").capacity("cpu", "4"));
        assertThat(given.names()).containsExactly("n1");

        given.with(node("n1").capacity("cpu", "4").providerId("fake://n1"), claimOf("n1"));

        assertThat(given.names()).containsExactly("n1");
        assertThat(given.node("n1").isManaged()).isTrue();
    }

    // Volumes and ports ------------------------------------------------------------------------

    private static final String STORAGE =
            """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: fast}
            provisioner: disk.csi.example.com
            volumeBindingMode: WaitForFirstConsumer
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: first, namespace: default}
            spec: {storageClassName: fast}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: second, namespace: default}
            spec: {storageClassName: fast}
            ---
            apiVersion: storage.k8s.io/v1
            kind: CSINode
            metadata: {name: n1}
            spec: {drivers: [{name: disk.csi.example.com, nodeID: n1, allocatable: {count: 1}}]}
            """;

    @Tag("G9")
    @Test
    void theVolumesOfANodesPodsTakeUpItsLimit() {
        given.with(pod("a").volumeClaim("first").on("n1")).with(STORAGE).with(ours("n1"));

        given.with(waiting("b").volumeClaim("second"), waiting("c"));

        assertThat(given.node("n1").volumeLimits()).containsEntry("disk.csi.example.com", 1);
        assertThat(given.placeOf("b")).isEqualTo("none");
        assertThat(given.placeOf("c")).isEqualTo("n1");
    }

    @Tag("G10")
    @Test
    void volumesStayInUseWhenTheClaimChanges() {
        given.with(STORAGE).with(ours("n1"), claimOf("n1"), pod("a").volumeClaim("first").on("n1"));

        given.with(claimOf("n1").annotation("example.com/note", "changed"));

        assertThat(given.with(waiting("b").volumeClaim("second")).placeOf("b")).isEqualTo("none");
    }

    @Tag("G11")
    @Test
    void aPodDoesNotTakeItsVolumeTwice() {
        given.with(STORAGE).with(ours("n1"), pod("a").volumeClaim("first").on("n1"));

        given.with(pod("a").volumeClaim("first").label("app", "changed").on("n1"));

        assertThat(given.with(waiting("b").volumeClaim("first")).placeOf("b")).isEqualTo("n1");
        assertThat(given.with(waiting("c").volumeClaim("second")).placeOf("c")).isEqualTo("none");
    }

    @Tag("G12")
    @Test
    void thePortsOfANodesPodsAreTaken() {
        given.with(pod("a").hostPort(80).on("n1")).with(ours("n1"));

        given.with(waiting("b").hostPort(80), waiting("c").hostPort(81));

        assertThat(given.placeOf("b")).isEqualTo("none");
        assertThat(given.placeOf("c")).isEqualTo("n1");
    }

    @Tag("G13")
    @Test
    void portsStayTakenWhenTheClaimChanges() {
        given.with(ours("n1"), claimOf("n1"), pod("a").hostPort(80).on("n1"));

        given.with(claimOf("n1").annotation("example.com/note", "changed"));

        assertThat(given.with(waiting("b").hostPort(80)).placeOf("b")).isEqualTo("none");
    }

    @Tag("G14")
    @Test
    void aPodDoesNotStandInItsOwnWay() {
        given.with(ours("n1"), pod("a").hostPort(80).on("n1"));

        given.with(pod("a").hostPort(80).label("app", "changed").on("n1"));

        assertThat(given.rig().view().podsOn("n1")).hasSize(1);
        assertThat(given.with(waiting("b").hostPort(81)).placeOf("b")).isEqualTo("n1");
    }
}
