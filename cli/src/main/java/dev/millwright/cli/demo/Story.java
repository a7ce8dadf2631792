package dev.millwright.cli.demo;

import dev.millwright.dashboard.picture.Answer;
import dev.millwright.dashboard.picture.Picture.Counters;
import dev.millwright.dashboard.picture.Picture.Decision;
import dev.millwright.dashboard.picture.Picture.Kind;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What was decided and what happened, newest last, and how often. Old decisions are dropped, the
/// counts stay.
final class Story {

    private static final int DECISIONS_MAX = 200;

    private final Deque<Decision> decisions = new ArrayDeque<>();
    private final Map<Long, Answer> answers = new ConcurrentHashMap<>();
    private long number;
    private long podsRun;
    private long launched;
    private long terminated;
    private long evictions;
    private long interruptions;

    /// @param decided what was decided of that kind last, if anything was
    void tell(Instant at, Kind kind, String text, @Nullable Answer decided) {
        if (decisions.size() == DECISIONS_MAX) {
            answers.remove(decisions.removeFirst().number());
        }
        answers.put(
                number,
                decided == null
                        ? Answer.of(kind.label(), text, List.of())
                        : new Answer(
                                text,
                                "Decided by " + decided.verdict(),
                                decided.reasons(),
                                List.of(),
                                ""));
        decisions.addLast(new Decision(number++, at, kind, text));
    }

    /// What is known of an entry, for any thread; null when it is too long ago.
    @Nullable Answer answer(long wanted) {
        return answers.get(wanted);
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
