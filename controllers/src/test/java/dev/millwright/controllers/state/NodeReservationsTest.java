package dev.millwright.controllers.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// Nodes set aside under a pool's limit.
final class NodeReservationsTest {

    private final NodeReservations reservations = new NodeReservations();

    @Test
    @Tag("G-NPS-1")
    void allIsGrantedWhereThereIsRoom() {
        assertThat(reservations.reserve("p", 10, 0, 4)).isEqualTo(4);
        assertThat(reservations.reserved("p")).isEqualTo(4);
    }

    @Test
    @Tag("G-NPS-2")
    void whatFitsIsGrantedWhereThereIsLessRoom() {
        reservations.reserve("p", 10, 0, 7);

        assertThat(reservations.reserve("p", 10, 0, 7)).isEqualTo(3);
    }

    @Test
    @Tag("G-NPS-3")
    void nothingIsGrantedWithoutRoom() {
        reservations.reserve("p", 10, 0, 10);

        assertThat(reservations.reserve("p", 10, 0, 1)).isZero();
        assertThat(reservations.reserved("p")).isEqualTo(10);
    }

    @Test
    @Tag("G-NPS-4")
    void nodesThatRunTakeUpRoom() {
        assertThat(reservations.reserve("p", 10, 8, 5)).isEqualTo(2);
    }

    @Test
    @Tag("G-NPS-5")
    void nodesThatGoTakeUpRoomBesideThoseThatRun() {
        assertThat(reservations.reserve("p", 10, 6 + 5, 5)).isZero();
    }

    @Test
    @Tag("G-NPS-6")
    void manyAtOnceDoNotPassTheLimit() throws InterruptedException, ExecutionException {
        var granted = new AtomicLong();
        together(() -> granted.addAndGet(reservations.reserve("p", 50, 0, 1)));

        assertThat(granted.get()).isEqualTo(50);
    }

    @Test
    @Tag("G-NPS-7")
    void whatIsReleasedCanBeHadAgain() {
        reservations.reserve("p", 10, 0, 10);
        reservations.release("p", 4);

        assertThat(reservations.reserve("p", 10, 0, 10)).isEqualTo(4);
    }

    @Test
    @Tag("G-NPS-8")
    void noMoreIsReleasedThanWasSetAside() {
        reservations.reserve("p", 10, 0, 2);
        reservations.release("p", 5);
        reservations.release("q", 5);

        assertThat(reservations.reserved("p")).isZero();
        assertThat(reservations.reserve("p", 10, 0, 20)).isEqualTo(10);
        assertThat(reservations.reserved("q")).isZero();
    }

    @Test
    @Tag("G-NPS-9")
    void manyReleaseAtOnce() throws InterruptedException, ExecutionException {
        reservations.reserve("p", 200, 0, 150);
        together(() -> reservations.release("p", 1));

        assertThat(reservations.reserved("p")).isEqualTo(50);
    }

    private static void together(Runnable call) throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = Collections.nCopies(100, Executors.callable(call, true));
            for (var done : threads.invokeAll(calls)) {
                done.get();
            }
        }
    }
}
