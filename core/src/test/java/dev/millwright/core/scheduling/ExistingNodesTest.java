package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.PodState.Phase;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.stream.IntStream;

/// Nodes that are there, ours or not.
final class ExistingNodesTest {

    @Tag("B98")
    @Test
    void aNodeOfSomebodyElseTakesAPod() {
        var plan = cluster().with(node("n1").unmanaged(), pod("a", "10m")).plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B99")
    @Test
    void aNodeOfSomebodyElseTakesSeveralPods() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged().podSlots(110).cpu("10"))
                        .with(pods(100, pod("a", "10m")))
                        .plan();

        assertThat(plan).schedulesAll().launchesNothing();
    }

    @Tag("B100")
    @Test
    void nodesAreFilledInTheOrderOfTheirNames() {
        var plan =
                cluster()
                        .with(node("c").podSlots(1), node("a").podSlots(1), node("b").podSlots(1))
                        .with(pods(3, pod("p", "10m")))
                        .plan();

        assertThat(plan).puts("p-1").on("a").puts("p-2").on("b").puts("p-3").on("c");
    }

    @Tag("B100")
    @Test
    void largerPodsAreServedFirst() {
        var plan = cluster().with(node("n1").cpu("4"), pod("small", "1"), pod("large", "4")).plan();

        assertThat(plan).puts("large").on("n1").puts("small").onNewNodes();
    }

    @Tag("B101")
    @Test
    void anIncompatibleNodeDoesNotKeepThePoolFromServing() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged().label(ARCH, "arm64"))
                        .with(pod("a").nodeSelector(ARCH, "amd64"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B101")
    @Test
    void aNodeWithoutTheWellKnownLabelDoesNotMatchASelectorOnIt() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged())
                        .with(pod("a").nodeSelector(ARCH, "amd64"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B102")
    @Test
    void aDaemonThatSelectsAnotherLabelTakesNoRoomOnANode() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged().cpu("4"))
                        .with(
                                daemonSet("agent")
                                        .cpu("1")
                                        .pod(each -> each.requires(in(ARCH, "amd64"))))
                        .with(pod("a", "4"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B102")
    @Test
    void aDaemonThatMatchesTakesRoomOnANodeOfSomebodyElse() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged().cpu("4").label(ARCH, "amd64"))
                        .with(
                                daemonSet("agent")
                                        .cpu("1")
                                        .pod(each -> each.requires(in(ARCH, "amd64"))))
                        .with(pod("a", "4").nodeSelector(ARCH, "arm64"), pod("b", "3"))
                        .with(pod("c", "100m"))
                        .plan();

        assertThat(plan).puts("b").on("n1").puts("a", "c").onNewNodes();
    }

    @Tag("F10")
    @Test
    void withoutPoolsNotEvenNodesThatAreThereAreExamined() {
        var plan =
                cluster().withoutNodePools().with(node("n1").unmanaged(), pod("a", "10m")).plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.NoNodePools.class);
    }

    @Test
    void podsThatRunTakeRoom() {
        var plan =
                cluster()
                        .with(node("n1").cpu("4"), pod("old", "3").onNode("n1"))
                        .with(pod("a", "1"), pod("b", "1"))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Test
    void aNodeOfAStaticPoolTakesPods() {
        var plan =
                cluster()
                        .with(nodePool("fixed").replicas(1), nodePool("default"))
                        .with(node("n1").pool("fixed"), pod("a", "1"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Test
    void aNodeOfAPoolThatIsNotReadyTakesPods() {
        var plan =
                cluster()
                        .with(nodePool("resting").notReady(), nodePool("default"))
                        .with(node("n1").pool("resting"), pod("a", "1"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Test
    void finishedPodsTakeNoRoomAndNoPort() {
        var plan =
                cluster()
                        .with(node("n1").cpu("4"))
                        .with(pod("old", "4").hostPort(80).onNode("n1").phase(Phase.SUCCEEDED))
                        .with(pod("a", "4").hostPort(80))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Test
    void terminatingPodsTakeRoomUntilTheyAreGone() {
        var plan =
                cluster()
                        .with(node("n1").cpu("4"))
                        .with(pod("old", "4").onNode("n1").terminating())
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Test
    void aPodOnItsWayFromADeletingNodeIsNotInItsOwnWay() {
        var web = Map.of("app", "web");

        var plan =
                cluster()
                        .with(node("n1").markedForDeletion(), node("n2"))
                        .with(pod("a", "1").labels(web).podAntiAffinity(HOSTNAME, web).onNode("n1"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n2");
    }

    @Test
    void anExpectedDaemonOfWhichAPodRunsIsExpectedOnceMoreOnlyForWhatIsMissing() {
        var plan =
                cluster()
                        .with(node("n1").cpu("4"))
                        .with(daemonSet("one").cpu("1"), daemonSet("two").cpu("1"))
                        .with(pod("one-x", "1").ownedBy("DaemonSet", "one").onNode("n1"))
                        .with(pod("a", "2"), pod("b", "100m"))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Tag("B100")
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 128, 130})
    void everyNodeIsConsideredHoweverManyThereAre(int count) {
        var nodes =
                IntStream.range(0, count)
                        .mapToObj(number -> node("n%03d".formatted(number)).podSlots(1))
                        .toList();

        var plan = cluster().with(nodes).with(pods(count + 1, pod("a", "1"))).plan();

        assertThat(plan).schedulesAll().launches(1);
        assertThat(plan.existing())
                .hasSize(count)
                .allSatisfy(place -> assertThat(place.pods()).hasSize(1));
    }

    @Test
    void aHostPortIsTakenByAPodOfTheSamePassToo() {
        var plan =
                cluster()
                        .with(node("n1"))
                        .with(pod("a", "2").hostPort(80), pod("b", "1").hostPort(80))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }
}
