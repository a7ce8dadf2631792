package dev.millwright.world.operator;

import dev.millwright.world.time.Agenda;

import java.time.Duration;
import java.time.Instant;

/// One life of a process: what it booked is not done once it is dead, and is done late while it
/// stands still.
final class Life {

    private final Agenda agenda;
    private Instant stalledUntil = Instant.MIN;
    private boolean isOver;

    Life(Agenda agenda) {
        this.agenda = agenda;
    }

    Agenda.Booking after(Duration wait, Runnable act) {
        return at(agenda.instant().plus(wait), act);
    }

    Agenda.Booking at(Instant at, Runnable act) {
        return agenda.at(at, () -> live(act));
    }

    private void live(Runnable act) {
        if (isOver) {
            return;
        }
        if (agenda.instant().isBefore(stalledUntil)) {
            agenda.at(stalledUntil, () -> live(act));
        } else {
            act.run();
        }
    }

    void stall(Duration duration) {
        stalledUntil = agenda.instant().plus(duration);
    }

    void end() {
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }
}
