package dev.millwright.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Slots of reservations are counted while a plan is made.
final class ReservationLedgerTest {

    private static final String R1 = "r-1";
    private static final String R2 = "r-2";

    private static ReservationLedger ledger(int slots) {
        var ledger = new ReservationLedger();
        ledger.offer(R1, slots);
        ledger.offer(R2, slots);
        return ledger;
    }

    // Asking -----------------------------------------------------------------------------------

    @Tag("E1")
    @Test
    void aReservationWithRoomCanBeReserved() {
        assertThat(ledger(1).canReserve("a", R1)).isTrue();
    }

    @Tag("E2")
    @Test
    void aReservationAlreadyHeldCanBeReservedAgain() {
        var ledger = ledger(2);
        ledger.reserve("a", R1);

        assertThat(ledger.canReserve("a", R1)).isTrue();
    }

    @Tag("E3")
    @Test
    void anExhaustedReservationCannotBeReserved() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);

        assertThat(ledger.canReserve("b", R1)).isFalse();
        assertThat(ledger.canReserve("b", R2)).isTrue();
    }

    @Tag("E4")
    @Test
    void aHeldReservationCanBeReservedThoughItIsExhausted() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);

        assertThat(ledger.canReserve("a", R1)).isTrue();
    }

    @Tag("E5")
    @Test
    void askingForAnUnknownReservationIsAnError() {
        var ledger = ledger(1);

        assertThatIllegalStateException()
                .isThrownBy(() -> ledger.canReserve("a", "unknown"))
                .withMessageContaining("unknown");
    }

    // Reserving --------------------------------------------------------------------------------

    @Tag("E6")
    @Test
    void reservingRecordsTheHost() {
        var ledger = ledger(1);

        ledger.reserve("a", R1);

        assertThat(ledger.isHeld("a", R1)).isTrue();
        assertThat(ledger.isHeld("b", R1)).isFalse();
        assertThat(ledger.isHeld("a", R2)).isFalse();
    }

    @Tag("E7")
    @Test
    void reservingTwiceTakesOneSlot() {
        var ledger = ledger(2);

        ledger.reserve("a", R1);
        ledger.reserve("a", R1);

        assertThat(ledger.free(R1)).isEqualTo(1);
    }

    @Tag("E8")
    @Test
    void everyHostTakesASlot() {
        var ledger = ledger(3);

        ledger.reserve("a", R1);
        ledger.reserve("b", R1);

        assertThat(ledger.free(R1)).isEqualTo(1);
    }

    @Tag("E9")
    @Test
    void aHostHoldsSeveralReservations() {
        var ledger = ledger(1);

        Stream.of(R1, R2).forEach(id -> ledger.reserve("a", id));

        assertThat(ledger.isHeld("a", R1)).isTrue();
        assertThat(ledger.isHeld("a", R2)).isTrue();
    }

    @Tag("E10")
    @Test
    void heldAndNewReservationsMix() {
        var ledger = ledger(2);
        ledger.reserve("a", R1);

        Stream.of(R1, R2).forEach(id -> ledger.reserve("a", id));

        assertThat(ledger.free(R1)).isEqualTo(1);
        assertThat(ledger.free(R2)).isEqualTo(1);
    }

    @Tag("E11")
    @Test
    void reservingBeyondCapacityIsAnError() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);

        assertThatIllegalStateException()
                .isThrownBy(() -> ledger.reserve("b", R1))
                .withMessageContaining(R1)
                .withMessageContaining("b");
        assertThat(ledger.isHeld("b", R1)).isFalse();
    }

    @Tag("E12")
    @Test
    void reservingAnUnknownReservationIsAnError() {
        var ledger = ledger(1);

        assertThatIllegalStateException().isThrownBy(() -> ledger.reserve("a", "unknown"));
    }

    // Releasing --------------------------------------------------------------------------------

    @Tag("E13")
    @Test
    void releasingGivesTheSlotBack() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);

        ledger.release("a", R1);

        assertThat(ledger.free(R1)).isEqualTo(1);
        assertThat(ledger.isHeld("a", R1)).isFalse();
    }

    @Tag("E14")
    @Test
    void releasingWhatIsNotHeldChangesNothing() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);

        ledger.release("a", R2);

        assertThat(ledger.free(R1)).isZero();
        assertThat(ledger.free(R2)).isEqualTo(1);
    }

    @Tag("E15")
    @Test
    void releasingForAnUnknownHostChangesNothing() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);

        ledger.release("b", R1);

        assertThat(ledger.free(R1)).isZero();
    }

    @Tag("E16")
    @Test
    void severalReservationsAreReleased() {
        var ledger = ledger(1);
        Stream.of(R1, R2).forEach(id -> ledger.reserve("a", id));

        Stream.of(R1, R2).forEach(id -> ledger.release("a", id));

        assertThat(ledger.free(R1)).isEqualTo(1);
        assertThat(ledger.free(R2)).isEqualTo(1);
    }

    @Tag("E17")
    @Test
    void releasingSomeKeepsTheOthers() {
        var ledger = ledger(1);
        Stream.of(R1, R2).forEach(id -> ledger.reserve("a", id));

        ledger.release("a", R1);

        assertThat(ledger.isHeld("a", R1)).isFalse();
        assertThat(ledger.isHeld("a", R2)).isTrue();
        assertThat(ledger.free(R2)).isZero();
    }

    @Tag("E18")
    @Test
    void aReleasedSlotCanBeTakenByAnotherHost() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);
        ledger.release("a", R1);

        ledger.reserve("b", R1);

        assertThat(ledger.isHeld("b", R1)).isTrue();
        assertThat(ledger.canReserve("a", R1)).isFalse();
    }

    @Tag("E19")
    @Test
    void releasingTwiceGivesOneSlotBack() {
        var ledger = ledger(1);
        ledger.reserve("a", R1);

        ledger.release("a", R1);
        ledger.release("a", R1);

        assertThat(ledger.free(R1)).isEqualTo(1);
    }

    @Tag("E19")
    @Tag("E20")
    @Test
    void reservingAndReleasingManyTimesKeepsCount() {
        var ledger = ledger(1);

        IntStream.range(0, 100)
                .forEach(
                        round -> {
                            ledger.reserve("a", R1);
                            ledger.release("a", R1);
                        });

        assertThat(ledger.free(R1)).isEqualTo(1);
    }

    @Tag("E21")
    @Test
    void manyHostsKeepCount() {
        var ledger = ledger(10);

        IntStream.range(0, 10).forEach(host -> ledger.reserve("host-" + host, R1));
        IntStream.range(0, 10)
                .filter(host -> host % 2 == 0)
                .forEach(host -> ledger.release("host-" + host, R1));

        assertThat(ledger.free(R1)).isEqualTo(5);
        assertThat(ledger.canReserve("host-1", R1)).isTrue();
        assertThat(ledger.free(R2)).isEqualTo(10);
    }

    @Tag("E1")
    @Test
    void ofSeveralCapacitiesToldTheLeastIsBelieved() {
        var ledger = ledger(3);

        ledger.offer(R1, 1);
        ledger.offer(R1, 2);

        assertThat(ledger.free(R1)).isEqualTo(1);
    }
}
