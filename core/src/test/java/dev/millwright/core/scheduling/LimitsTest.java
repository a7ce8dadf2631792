package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_A;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Resources;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// A pool never buys beyond its limits.
final class LimitsTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    @Tag("F23")
    @Test
    void aPoolOverItsLimitBuysNothing() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("cpu", "20"))
                        .with(node("n1").cpu("100").podSlots(0), pod("a"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").becauseOf(Refusal.Limit.class);
    }

    @Tag("F23")
    @Test
    void nodesOfOtherPoolsDoNotCount() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("cpu", "20"))
                        .with(node("n1").cpu("100").podSlots(0).pool("other"), pod("a"))
                        .plan();

        assertThat(plan).launches(1);
    }

    @Tag("F23")
    @Test
    void nodesThatGoDoNotCount() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("cpu", "20"))
                        .with(node("n1").cpu("100").markedForDeletion(), pod("a"))
                        .plan();

        assertThat(plan).launches(1);
    }

    @Tag("F24")
    @Test
    void aPoolBuysUpToItsLimit() {
        var plan = cluster().with(nodePool("default").limit("cpu", "2"), pod("a", "1.75")).plan();

        assertThat(plan).schedulesAll().claimOf("a").offersTypes("small-instance-type");
    }

    @Tag("F25")
    @Test
    void whatFitsUnderALimitIsBoughtAndTheRestWaits() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("cpu", "3"))
                        .with(pods(2, pod("a", "1.5").labels(WEB).podAntiAffinity(HOSTNAME, WEB)))
                        .plan();

        assertThat(plan)
                .launches("small-instance-type")
                .leavesWaiting("a-2")
                .becauseOf(Refusal.Limit.class);
    }

    @Tag("F25")
    @Test
    void theLargestMachineAClaimMayBecomeIsTakenFromTheLimit() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("cpu", "5").requirement(in(ARCH, "amd64")))
                        .with(pods(2, pod("a", "1").labels(WEB).podAntiAffinity(HOSTNAME, WEB)))
                        .plan();

        assertThat(plan).launches(1).leavesWaiting("a-2").becauseOf(Refusal.Limit.class);
    }

    @Tag("F25")
    @Test
    void whatALimitStillLeavesIsToldAndNothingThatIsNotLimited() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("cpu", "3"))
                        .with(pods(2, pod("a", "1.5").labels(WEB).podAntiAffinity(HOSTNAME, WEB)))
                        .plan();

        Assertions.assertThat(plan.waiting())
                .containsExactly(
                        new Plan.WaitingPod(
                                new ObjectName("default", "a-2"),
                                new WaitReason.Refused(
                                        List.of(
                                                new WaitReason.PoolRefusal(
                                                        "default",
                                                        new Refusal.Limit(
                                                                Resources.parse("cpu", "1")))))));
    }

    @Tag("F29")
    @Test
    void onePassMayBuyMoreNodesThanTheirLimit() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("nodes", "2"))
                        .with(pods(3, pod("a").labels(WEB).podAntiAffinity(HOSTNAME, WEB)))
                        .plan();

        assertThat(plan).launches(3);
    }

    @Tag("F26")
    @Test
    void aPodAboveTheLimitWaits() {
        var plan = cluster().with(nodePool("default").limit("cpu", "1"), pod("a", "500m")).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.Limit.class)
                .because("exceed limits");
    }

    @Tag("F26")
    @Test
    void memoryIsLimitedLikeCpu() {
        var plan = cluster().with(nodePool("default").limit("memory", "1Gi"), pod("a")).plan();

        assertThat(plan).leavesWaiting("a").becauseOf(Refusal.Limit.class);
    }

    @Tag("F27")
    @Test
    void devicesAreLimitedToo() {
        var plan =
                cluster()
                        .with(nodePool("default").limit(GPU_A, "1"))
                        .with(pod("a").resource(GPU_A, "1"), pod("b"))
                        .plan();

        assertThat(plan).schedules("b").leavesWaiting("a");
    }

    @Tag("F28")
    @Test
    void aSecondRoundSeesWhatTheFirstBought() {
        var first = cluster().with(nodePool("default").limit("cpu", "2"), pod("a", "1.5"));

        var plan = first.after(first.plan()).with(pod("b", "1.5"), pod("c", "100m")).plan();

        assertThat(plan)
                .launchesNothing()
                .puts("c")
                .on("default-1")
                .leavesWaiting("b")
                .becauseOf(Refusal.Limit.class);
    }

    @Tag("F29")
    @Test
    void aLimitOnNodesHolds() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("nodes", "1"))
                        .with(node("n1").podSlots(0), pod("a"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").becauseOf(Refusal.NodeLimit.class);
    }

    @Tag("F29")
    @Test
    void aLimitOnNodesLeavesRoomForWhatIsLeft() {
        var plan =
                cluster()
                        .with(nodePool("default").limit("nodes", "2"))
                        .with(node("n1").podSlots(0), pod("a"))
                        .plan();

        assertThat(plan).launches(1);
    }

    @Test
    void aPodRefusedByAPoolsLimitGoesToTheNextPool() {
        var plan =
                cluster()
                        .with(nodePool("heavy").weight(10).limit("cpu", "1"), nodePool("light"))
                        .with(pod("a", "500m"))
                        .plan();

        assertThat(plan).puts("a").inPool("light");
    }
}
