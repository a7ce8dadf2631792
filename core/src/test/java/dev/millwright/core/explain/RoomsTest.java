package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.ClusterPart;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;

/// How much the nodes that are there lack for a pod. A node has 4 cpus, 4Gi and 5 pod slots.
final class RoomsTest {

    private static List<Resources> missing(PodBuilder pod, ClusterPart... parts) {
        return Rooms.missing(cluster().with(parts).with(pod).snapshot(), pod.pod());
    }

    private static Resources of(String... amounts) {
        return Resources.parse(amounts);
    }

    @Test
    void aNodeLacksWhatItsPodsHaveTaken() {
        assertThat(missing(pod("web", "3"), node("a"), pod("old", "2").onNode("a")))
                .containsExactly(of("cpu", "1"));
    }

    @Test
    void aNodeWithRoomLacksNothing() {
        assertThat(missing(pod("web", "2"), node("a"), pod("old", "2").onNode("a"))).isEmpty();
    }

    @Test
    void podsThatEndedOrGoTakeNoRoom() {
        assertThat(missing(pod("web", "3"), node("a"), pod("old", "2").onNode("a").terminating()))
                .isEmpty();
    }

    @Test
    void allResourcesThatANodeLacksCount() {
        assertThat(missing(pod("web", "5").memory("5Gi"), node("a")))
                .containsExactly(of("cpu", "1", "memory", "1Gi"));
    }

    @Test
    void theTwoNearestNodesCountAndTheNearestIsFirst() {
        assertThat(
                        missing(
                                pod("web", "8"),
                                node("a").cpu("4"),
                                node("b").cpu("7"),
                                node("c").cpu("6")))
                .containsExactly(of("cpu", "1"), of("cpu", "2"));
    }

    @Test
    void theNearestLacksTheLeastShareOfWhatIsAsked() {
        var web = pod("web", "4").memory("100Gi");

        assertThat(
                        missing(
                                web,
                                node("a").cpu("3").memory("100Gi"),
                                node("b").cpu("4").memory("90Gi")))
                .containsExactly(of("memory", "10Gi"), of("cpu", "1"));
    }

    @Test
    void sharesOfSeveralResourcesAddUp() {
        var web = pod("web", "10").memory("10Gi");

        assertThat(
                        missing(
                                web,
                                node("a").cpu("8").memory("8Gi"),
                                node("b").cpu("7").memory("10Gi")))
                .containsExactly(of("cpu", "3"), of("cpu", "2", "memory", "2Gi"));
    }

    @Test
    void ofNodesThatLackAlikeTheFirstByNameIsFirst() {
        assertThat(
                        missing(
                                pod("web", "8").memory("8Gi"),
                                node("b").cpu("8").memory("6Gi"),
                                node("a").cpu("6").memory("8Gi")))
                .containsExactly(of("cpu", "2"), of("memory", "2Gi"));
    }

    @Test
    void aNodeThatGoesIsNoRoom() {
        assertThat(missing(pod("web", "5"), node("a").markedForDeletion())).isEmpty();
    }

    @Test
    void aNodeThatIsOverfullIsNoRoom() {
        assertThat(
                        missing(
                                pod("web", "1"),
                                node("a"),
                                pod("old", "4").onNode("a"),
                                pod("more", "1").onNode("a")))
                .isEmpty();
    }

    @Test
    void aNodeThatIsJustFullLacksAllOfIt() {
        assertThat(missing(pod("web", "1"), node("a"), pod("old", "4").onNode("a")))
                .containsExactly(of("cpu", "1"));
    }

    @Test
    void noPodGivesUpItsSlot() {
        assertThat(missing(pod("web", "1"), node("a").podSlots(0))).isEmpty();
    }
}
