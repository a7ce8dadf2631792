package dev.millwright.core.forecast;

import static dev.millwright.testing.kit.Given.NOON;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;

final class AgendaTest {

    private final Agenda agenda = new Agenda(NOON);
    private final ArrayList<String> done = new ArrayList<>();

    private void say(String what) {
        done.add(what + " at " + (agenda.now().getEpochSecond() - NOON.getEpochSecond()));
    }

    @Test
    void whatIsBookedForTheSameMomentHappensInTheOrderItWasBooked() {
        agenda.at(NOON.plusSeconds(2), () -> say("late"));
        agenda.at(NOON.plusSeconds(1), () -> say("first"));
        agenda.at(NOON.plusSeconds(1), () -> say("second"));

        agenda.step();
        agenda.step();
        agenda.step();

        assertThat(done).containsExactly("first at 1", "second at 1", "late at 2");
        assertThat(agenda.nextAt()).isNull();
    }

    @Test
    void whatIsBookedForThePastHappensNow() {
        agenda.at(NOON.plusSeconds(5), () -> say("five"));
        agenda.step();

        agenda.at(NOON.plusSeconds(1), () -> say("missed"));

        assertThat(agenda.nextAt()).isEqualTo(NOON.plusSeconds(5));
        agenda.step();
        assertThat(done).containsExactly("five at 5", "missed at 5");
    }
}
