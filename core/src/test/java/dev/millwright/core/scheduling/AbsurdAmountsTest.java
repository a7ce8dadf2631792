package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.FakeCatalogue.GPU_A;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One pod with an absurd amount must not spoil the plan of the others.
final class AbsurdAmountsTest {

    @Tag("B73")
    @ParameterizedTest
    @ValueSource(strings = {"7Ei", "4Ei", "9223372036854775807", "2P", "9223372036854775807.5"})
    void anAbsurdRequestWaitsAloneWhateverItsSize(String amount) {
        var plan =
                cluster()
                        .with(pods(3, pod("huge").memory(amount)))
                        .with(pod("fine").memory("1Gi").cpu("500m"))
                        .plan();

        assertThat(plan).schedules("fine").leavesWaiting(3);
    }

    @Tag("B73")
    @ParameterizedTest
    @ValueSource(strings = {"1n", "1u", "1m", "0.3333333Gi", "1000.5"})
    void aFineRequestDoesNotChangeWhatLargePodsGet(String amount) {
        var plan =
                cluster()
                        .with(pod("fine").memory(amount))
                        .with(pod("large").memory("100Gi"), pod("larger").memory("200Gi"))
                        .plan();

        assertThat(plan).schedules("fine").leavesWaiting(1).leavesWaiting("larger");
        assertThat(plan).claimOf("large").offersTypes("arm-instance-type");
    }

    @Tag("B73")
    @ParameterizedTest
    @ValueSource(strings = {"1n", "1u", "1m"})
    void theSmallestRequestTakesRoom(String amount) {
        var plan = cluster().with(node("n1").cpu("1"), pod("a", "1"), pod("b", amount)).plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Tag("F33")
    @Test
    void aDaemonOfAbsurdSizeMakesPodsWaitAndNotThePlanFail() {
        var plan =
                cluster()
                        .with(daemonSet("one").memory("7Ei"), daemonSet("two").memory("7Ei"))
                        .with(pod("a").memory("7Ei"), pod("b"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting(2);
    }

    @Tag("F33")
    @Test
    void aDaemonOfAbsurdSizeForOtherNodesDoesNotMatter() {
        var plan =
                cluster()
                        .with(
                                daemonSet("one")
                                        .memory("7Ei")
                                        .pod(each -> each.nodeSelector("team", "none")))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("B92")
    @Test
    void podsOfAbsurdSizeOnANodeLeaveNoRoomThere() {
        var plan =
                cluster()
                        .with(node("n1"))
                        .with(pods(3, pod("old").memory("7Ei").onNode("n1")))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("F23")
    @Test
    void anAbsurdLimitIsNoLimit() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("memory", "7Ei").limit("cpu", "9E"))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("F23")
    @Test
    void nodesOfAbsurdSizeExhaustALimit() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("memory", "7Ei"))
                        .with(node("n1").memory("7Ei").podSlots(0))
                        .with(node("n2").memory("7Ei").podSlots(0))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Tag("B65")
    @Test
    void aMachineOfAbsurdSizeServes() {
        var plan =
                cluster()
                        .selling(instanceType("moon").memory("7Ei").resource(GPU_A, "1E"))
                        .with(pod("a").memory("1Gi").resource(GPU_A, "1"))
                        .plan();

        assertThat(plan).launches("moon");
    }

    @Test
    void aNegativeRequestFreesNoRoom() {
        var plan =
                cluster()
                        .with(node("n1").memory("4Gi"))
                        .with(pod("odd", "1").memory("-4Gi"))
                        .with(pod("b", "500m").memory("6Gi"))
                        .plan();

        assertThat(plan).puts("b").onNewNodes();
    }
}
