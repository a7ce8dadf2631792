package dev.millwright.world.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

final class AgendaTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final Agenda agenda = new Agenda(NOON);
    private final List<String> done = new ArrayList<>();

    private Runnable note(String what) {
        return () -> done.add(what + " at " + Duration.between(NOON, agenda.instant()).toSeconds());
    }

    @Test
    void thingsHappenInTheOrderOfTimeAndFirstBookedFirstDone() {
        agenda.after(Duration.ofSeconds(2), note("late"));
        agenda.after(Duration.ofSeconds(1), note("a"));
        agenda.after(Duration.ofSeconds(1), note("b"));

        agenda.runUntil(NOON.plusSeconds(10));

        assertThat(done).containsExactly("a at 1", "b at 1", "late at 2");
        assertThat(agenda.instant()).isEqualTo(NOON.plusSeconds(10));
    }

    @Test
    void whatIsDueAfterTheEndWaits() {
        agenda.after(Duration.ofSeconds(5), note("later"));

        agenda.runUntil(NOON.plusSeconds(4));

        assertThat(done).isEmpty();
        assertThat(agenda.nextAt()).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void whatIsCancelledDoesNotHappen() {
        var booking = agenda.after(Duration.ofSeconds(1), note("never"));
        booking.cancel();

        agenda.runUntil(NOON.plusSeconds(2));

        assertThat(done).isEmpty();
        assertThat(agenda.nextAt()).isNull();
    }

    @Test
    void whatIsBookedForThePastHappensNow() {
        agenda.after(Duration.ofSeconds(3), () -> agenda.at(NOON, note("past")));

        agenda.runUntil(NOON.plusSeconds(3));

        assertThat(done).containsExactly("past at 3");
    }
}
