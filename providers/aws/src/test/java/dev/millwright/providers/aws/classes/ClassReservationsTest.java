package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.CapacityReservation;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationState;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationType;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Which capacity reservations a class has, and how much room is in them.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C6")
class ClassReservationsTest {

    private static Tree reservation(String id) {
        return Tree.of("CapacityReservationId", id)
                .put("InstanceType", "m5.large")
                .put("AvailabilityZone", "us-east-1a")
                .put("AvailableInstanceCount", 10)
                .put("TotalInstanceCount", 10);
    }

    private static Tree tagged(Tree reservation, String team) {
        return reservation.putList(
                "Tags", List.of(Tree.of("Key", "team").put("Value", team).mapping()));
    }

    private static Tree block(String id, Duration left) {
        return reservation(id)
                .put("ReservationType", "capacity-block")
                .put("EndDate", Given.NOON.plus(left).toString());
    }

    private static ClassRig looked(String terms) {
        var rig = new ClassRig().make("capacityReservationSelectorTerms", terms);
        rig.look();
        return rig;
    }

    private static List<String> found(String terms) {
        return looked(terms).status().capacityReservations().stream()
                .map(CapacityReservation::id)
                .toList();
    }

    @Test
    void aReservationIsToldAsEc2TellsIt(TestAccount aws) {
        aws.reservations(
                reservation("cr-1").put("EndDate", "2026-06-01T00:00:00Z"), reservation("cr-2"));

        assertThat(looked("[{id: cr-1}]").status().capacityReservations())
                .containsExactly(
                        new CapacityReservation(
                                "cr-1",
                                "us-east-1a",
                                "m5.large",
                                TestAccount.ACCOUNT,
                                "targeted",
                                ReservationType.DEFAULT,
                                ReservationState.ACTIVE,
                                false,
                                Instant.parse("2026-06-01T00:00:00Z")));
    }

    @Test
    void idsTagsOwnersAndCriteriaLeadToReservations(TestAccount aws) {
        aws.reservations(
                tagged(reservation("cr-1"), "a"),
                tagged(reservation("cr-2"), "b").put("OwnerId", "999999999999"),
                reservation("cr-3").put("InstanceMatchCriteria", "open"),
                tagged(reservation("cr-4"), "a").put("InstanceMatchCriteria", "open"));

        assertThat(found("[{id: cr-3}, {id: cr-1}]")).containsExactly("cr-1", "cr-3");
        assertThat(found("[{tags: {team: a}}]")).containsExactly("cr-1", "cr-4");
        assertThat(found("[{tags: {team: '*'}, ownerID: '999999999999'}]")).containsExactly("cr-2");
        assertThat(found("[{instanceMatchCriteria: open}]")).containsExactly("cr-3", "cr-4");
        assertThat(found("[{instanceMatchCriteria: targeted}]")).containsExactly("cr-1", "cr-2");
        assertThat(found("[{tags: {team: a}, instanceMatchCriteria: open}]"))
                .containsExactly("cr-4");
        assertThat(found("[{id: cr-2, tags: {team: a}}]")).containsExactly("cr-1", "cr-2", "cr-4");
    }

    @Test
    void reservationsThatAreMissingNotActiveOrOverAreLeftOut(TestAccount aws) {
        aws.reservations(
                reservation("cr-1").put("State", "expired"),
                reservation("cr-2").put("EndDate", Given.NOON.toString()),
                reservation("cr-3"));

        assertThat(found("[{id: cr-1}, {id: cr-2}, {id: cr-3}, {id: cr-4}]"))
                .containsExactly("cr-3");
        assertThat(found("[{instanceMatchCriteria: targeted}]")).containsExactly("cr-3");
    }

    @Test
    void noneIsReadyToo(TestAccount aws) {
        aws.reservations();
        var rig = looked("[{id: cr-1}]");

        assertThat(rig.status().capacityReservations()).isEmpty();
        assertThat(rig.condition("CapacityReservationsReady"))
                .isEqualTo("True CapacityReservationsReady");
        assertThat(rig.condition("Ready")).isEqualTo("True Ready");
    }

    @Test
    void whatEc2SaysThatWeDoNotKnowIsLeftOutWithAWord(TestAccount aws) {
        aws.reservations(
                reservation("cr-1").put("InstanceMatchCriteria", "whatever"),
                reservation("cr-2").put("ReservationType", "strange"),
                reservation("cr-3").put("Interruptible", true));
        var rig = looked("[{id: cr-1}, {id: cr-2}, {id: cr-3}]");

        assertThat(rig.status().capacityReservations())
                .singleElement()
                .matches(CapacityReservation::isInterruptible);
        assertThat(rig.rig().lines())
                .anyMatch(line -> line.toString().contains("cr-1"))
                .anyMatch(line -> line.toString().contains("cr-2"));
    }

    @Test
    void onlyACapacityBlockExpiresFortyMinutesBeforeItsEnd(TestAccount aws) {
        aws.reservations(
                block("cr-1", Duration.ofMinutes(41)),
                reservation("cr-2").put("EndDate", Given.NOON.plusSeconds(41 * 60).toString()));
        var rig = looked("[{id: cr-1}, {id: cr-2}]");
        assertThat(rig.status().capacityReservations())
                .extracting(CapacityReservation::state)
                .containsOnly(ReservationState.ACTIVE);

        rig.lookAfter(Duration.ofMinutes(1));
        assertThat(rig.status().capacityReservations())
                .extracting(CapacityReservation::id, CapacityReservation::state)
                .containsExactly(
                        Tuple.tuple("cr-1", ReservationState.EXPIRING),
                        Tuple.tuple("cr-2", ReservationState.ACTIVE));
    }

    @Test
    void theNextLookIsAtTheNextEndWhereThatIsSooner(TestAccount aws) {
        aws.reservations(reservation("cr-1").put("EndDate", Given.NOON.plusSeconds(20).toString()));
        var rig = new ClassRig().make("capacityReservationSelectorTerms", "[{id: cr-1}]");

        assertThat(rig.look()).isEqualTo(new Ending.Again(Duration.ofSeconds(20)));
        rig.lookAfter(Duration.ofSeconds(20));
        assertThat(rig.status().capacityReservations()).isEmpty();
    }

    @Test
    void anAnswerIsGoodForAMinuteAndAFaultLeavesWhatWasKnown(TestAccount aws) {
        aws.reservations(reservation("cr-1"));
        var rig = looked("[{id: cr-1}]");
        rig.lookAfter(Duration.ofSeconds(59));
        assertThat(aws.calls("DescribeCapacityReservations")).isEqualTo(1);
        aws.fail(
                ApiFault.refuse("DescribeCapacityReservations", "UnauthorizedOperation", 403)
                        .always());
        rig.lookAfter(Duration.ofSeconds(1));

        assertThat(rig.status().capacityReservations()).hasSize(1);
    }

    @Test
    void withTheGateOffNothingIsAskedAndNothingDependsOnIt(TestAccount aws) {
        var rig =
                new ClassRig(ClassRig.Setup.USUAL.withoutReservedCapacity())
                        .make("capacityReservationSelectorTerms", "[{id: cr-1}]");
        rig.look();

        assertThat(aws.calls("DescribeCapacityReservations")).isZero();
        assertThat(rig.condition("CapacityReservationsReady")).isEmpty();
        assertThat(rig.condition("Ready")).isEqualTo("True Ready");
    }

    @Test
    void launchesAndEndsAreCountedUntilEc2HasCounted(TestAccount aws) {
        aws.reservations(reservation("cr-1").put("AvailableInstanceCount", 2));
        var rig = looked("[{id: cr-1}]");
        var room = rig.reservations();
        assertThat(room.available("cr-1")).isEqualTo(2);
        assertThat(room.available("cr-9")).isZero();

        room.launched("cr-1", Given.NOON.minusSeconds(1));
        assertThat(room.available("cr-1")).isEqualTo(2);
        room.launched("cr-1", Given.NOON.plusSeconds(1));
        room.launched("cr-1", Given.NOON.plusSeconds(2));
        room.launched("cr-1", Given.NOON.plusSeconds(3));
        assertThat(room.available("cr-1")).isZero();
        room.terminated("cr-1");
        assertThat(room.available("cr-1")).isEqualTo(1);
        room.exhausted("cr-1");
        assertThat(room.available("cr-1")).isZero();
        rig.lookAfter(Duration.ofMinutes(1));
        assertThat(room.available("cr-1")).isEqualTo(2);
    }
}
