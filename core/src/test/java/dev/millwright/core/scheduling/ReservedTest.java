package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.core.label.LabelVocabulary.DEFAULT_RESERVATION_ID_KEY;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.testing.kit.InstanceTypeBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// Capacity that is paid for already is used first, and never twice.
final class ReservedTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    /// Pods of which no two share a node.
    private static PodBuilder alone(String name) {
        return pod(name, "1").labels(WEB).podAntiAffinity(HOSTNAME, WEB);
    }

    private static InstanceTypeBuilder reserved(String name, String id, int slots) {
        return instanceType(name)
                .reserved(ZONE_1, id, slots, 0.01)
                .offering(ZONE_1, "on-demand", 1)
                .offering(ZONE_2, "on-demand", 1);
    }

    @Tag("B158")
    @Test
    void aPodWaitsForAReservationInsteadOfBuyingElsewhere() {
        var plan = cluster().selling(reserved("big", "r-1", 1)).with(pods(2, alone("a"))).plan();

        assertThat(plan)
                .launches(1)
                .leavesWaiting("a-2")
                .because(WaitReason.ReservationPending.class)
                .because("NodePool default");
    }

    @Tag("B158")
    @Test
    void aClaimThatHoldsAReservationIsLaunchedIntoItAlone() {
        var plan = cluster().selling(reserved("big", "r-1", 1)).with(alone("a")).plan();

        assertThat(plan)
                .claimOf("a")
                .holdsReservations("r-1")
                .requires(CAPACITY_TYPE, "reserved")
                .requires(DEFAULT_RESERVATION_ID_KEY, "r-1")
                .cheapestCapacityType("reserved")
                .cheapestPrice(0.01);
    }

    @Tag("B158")
    @Test
    void aSimulationFallsBackToOtherCapacity() {
        var plan =
                cluster()
                        .reservations(Reservations.FALLBACK)
                        .selling(reserved("big", "r-1", 1))
                        .with(pods(2, alone("a")))
                        .plan();

        assertThat(plan).schedulesAll().launches(2);
        assertThat(plan).claimOf("a-1").holdsReservations("r-1");
        assertThat(plan).claimOf("a-2").holdsReservations().cheapestCapacityType("on-demand");
    }

    @Tag("B158")
    @Test
    void anEmptyReservationDoesNotDelayAPod() {
        var plan =
                cluster()
                        .selling(
                                instanceType("big")
                                        .reserved(ZONE_1, "r-1", 0, 0.01)
                                        .offering(ZONE_1, "on-demand", 1))
                        .with(alone("a").nodeSelector(CAPACITY_TYPE, "on-demand"))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").cheapestCapacityType("on-demand");
    }

    @Tag("B159")
    @Test
    void aReservationIsSharedOverPools() {
        var plan =
                cluster()
                        .selling(reserved("big", "r-1", 1))
                        .with(nodePool("one").weight(10), nodePool("two"))
                        .with(alone("a").nodeSelector("karpenter.sh/nodepool", "one"))
                        .with(alone("b").nodeSelector("karpenter.sh/nodepool", "two"))
                        .plan();

        assertThat(plan)
                .launches(1)
                .leavesWaiting("b")
                .because(WaitReason.ReservationPending.class);
    }

    @Tag("B159")
    @Test
    void theLeastCapacityToldOfAReservationIsBelieved() {
        var plan =
                cluster()
                        .selling(reserved("big", "r-1", 2), reserved("bigger", "r-1", 1).cpu("8"))
                        .with(pods(2, alone("a")))
                        .plan();

        assertThat(plan).launches(1).leavesWaiting(1);
    }

    @Tag("B160")
    @Test
    void distinctReservationsCountApart() {
        var plan =
                cluster()
                        .selling(reserved("big", "r-1", 1), reserved("bigger", "r-2", 1).cpu("8"))
                        .with(alone("a").nodeSelector(INSTANCE_TYPE, "big"))
                        .with(alone("b").nodeSelector(INSTANCE_TYPE, "bigger"))
                        .plan();

        assertThat(plan).schedulesAll();
        assertThat(plan).claimOf("a").holdsReservations("r-1");
        assertThat(plan).claimOf("b").holdsReservations("r-2");
    }

    @Tag("B161")
    @Test
    void aTypeMayHaveSeveralReservations() {
        var plan =
                cluster()
                        .selling(
                                instanceType("big")
                                        .reserved(ZONE_1, "r-1", 1, 0.01)
                                        .reserved(ZONE_2, "r-2", 1, 0.01)
                                        .offering(ZONE_1, "on-demand", 1))
                        .with(alone("a").nodeSelector(ZONE, ZONE_1))
                        .with(alone("b").nodeSelector(ZONE, ZONE_2))
                        .plan();

        assertThat(plan).schedulesAll();
        assertThat(plan).claimOf("a").holdsReservations("r-1");
        assertThat(plan).claimOf("b").holdsReservations("r-2");
    }

    @Tag("B161")
    @Test
    void aClaimHoldsEveryReservationItCouldUse() {
        var plan =
                cluster()
                        .selling(
                                instanceType("big")
                                        .reserved(ZONE_1, "r-1", 1, 0.01)
                                        .reserved(ZONE_2, "r-2", 1, 0.01))
                        .with(alone("a"))
                        .plan();

        assertThat(plan).claimOf("a").holdsReservations("r-1", "r-2");
    }

    @Tag("B161")
    @Test
    void aReservationAClaimCannotUseAnyMoreIsGivenBack() {
        var plan =
                cluster()
                        .selling(
                                instanceType("big")
                                        .reserved(ZONE_1, "r-1", 1, 0.01)
                                        .reserved(ZONE_2, "r-2", 1, 0.01))
                        .with(pod("a", "2"), pod("b", "1").nodeSelector(ZONE, ZONE_1))
                        .with(pod("c", "3").nodeSelector(ZONE, ZONE_2))
                        .plan();

        assertThat(plan).schedules("c");
        assertThat(plan).claimOf("c").holdsReservations("r-2");
    }

    @Tag("B162")
    @Test
    void aLighterPoolIsNotUsedWhileAReservationIsHeld() {
        var plan =
                cluster()
                        .sellingTo("heavy", List.of(reserved("big", "r-1", 1).build()))
                        .sellingTo("light", List.of(instanceType("plain").build()))
                        .with(nodePool("heavy").weight(50), nodePool("light"))
                        .with(pods(2, alone("a")))
                        .plan();

        assertThat(plan)
                .launches(1)
                .puts("a-1")
                .inPool("heavy")
                .leavesWaiting("a-2")
                .because(WaitReason.ReservationPending.class);
    }

    @Tag("B163")
    @Test
    void wishesAreKeptWhileAReservationIsAwaited() {
        var plan =
                cluster()
                        .selling(reserved("big", "r-1", 1), instanceType("plain"))
                        .with(pods(2, alone("a").prefers(1, in(INSTANCE_TYPE, "big"))))
                        .plan();

        assertThat(plan)
                .launches("big")
                .leavesWaiting("a-2")
                .because(WaitReason.ReservationPending.class);
    }

    @Tag("B164")
    @Test
    void aReservedNodeTakesSeveralPods() {
        var plan = cluster().selling(reserved("big", "r-1", 1)).with(pods(3, pod("a", "1"))).plan();

        assertThat(plan)
                .puts("a-1", "a-2", "a-3")
                .together()
                .claimOf("a-1")
                .holdsReservations("r-1");
    }

    @Test
    void aFullReservationBesideAFreeOneDelaysNobody() {
        var plan =
                cluster()
                        .selling(
                                instanceType("big")
                                        .reserved(ZONE_1, "full", 0, 0.01)
                                        .reserved(ZONE_1, "free", 1, 0.01))
                        .with(alone("a"))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").holdsReservations("free");
    }

    @Test
    void aPodDoesNotMakeAClaimGiveUpItsOnlyReservation() {
        var plan =
                cluster()
                        .selling(
                                instanceType("small")
                                        .cpu("4")
                                        .withoutOverhead()
                                        .reserved(ZONE_1, "r-1", 2, 0.01),
                                instanceType("wide")
                                        .cpu("8")
                                        .withoutOverhead()
                                        .offering(ZONE_1, "on-demand", 1))
                        .with(pod("a", "3"), pod("b", "2"))
                        .plan();

        assertThat(plan).schedulesAll().launches(2);
        assertThat(plan).claimOf("a").holdsReservations("r-1");
        assertThat(plan).claimOf("b").holdsReservations("r-1");
    }
}
