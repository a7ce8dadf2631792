package dev.millwright.cli.demo;

import dev.millwright.dashboard.picture.Picture.Counters;
import dev.millwright.dashboard.picture.Picture.Decision;
import dev.millwright.dashboard.picture.Picture.Kind;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// What was decided and what happened, newest last, and how often. Old decisions are dropped, the
/// counts stay.
final class Story {

    private static final int DECISIONS_MAX = 200;

    private final Deque<Decision> decisions = new ArrayDeque<>();
    private long number;
    private long podsRun;
    private long launched;
    private long terminated;
    private long evictions;
    private long interruptions;

    void tell(Instant at, Kind kind, String text) {
        if (decisions.size() == DECISIONS_MAX) {
            decisions.removeFirst();
        }
        decisions.addLast(new Decision(number++, at, kind, text));
    }

    void podRuns() {
        podsRun++;
    }

    void launched() {
        launched++;
    }

    void terminated() {
        terminated++;
    }

    void evicted() {
        evictions++;
    }

    void interrupted() {
        interruptions++;
    }

    List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    Counters counters(long invariantsBroken) {
        return new Counters(
                podsRun, launched, terminated, evictions, interruptions, invariantsBroken);
    }
}
