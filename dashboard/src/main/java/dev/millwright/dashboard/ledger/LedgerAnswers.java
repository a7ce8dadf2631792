package dev.millwright.dashboard.ledger;

import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.dashboard.picture.Answers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Answers from the newest decision, one question at a time: an answer may take hundreds of plans,
/// and the processor is the operator's. What was answered is kept until the next decision.
public final class LedgerAnswers implements Answers {

    /// How long a question waits for those before it.
    private static final Duration WAIT_MAX = Duration.ofSeconds(5);

    /// Answers kept of one decision.
    static final int ANSWERS_MAX = 200;

    /// What is asked about: the same for all questions until a decision comes.
    private record Ground(
            @Nullable SchedulingProblem scheduling,
            @Nullable DisruptionProblem standing,
            Map<Subject, Reply> known) {}

    /// The words to entries of a timeline, by number; null for one that is not known.
    @FunctionalInterface
    public interface Entries {
        @Nullable Reply find(long number);
    }

    private final Semaphore turn = new Semaphore(1);
    private volatile Ground ground = ground(null, null);
    private volatile Entries entries = _ -> null;

    /// From now on this is what questions are about.
    public void hear(
            @Nullable SchedulingProblem scheduling,
            @Nullable DisruptionProblem standing,
            Entries others) {
        entries = others;
        ground = ground(scheduling, standing);
    }

    private static Ground ground(
            @Nullable SchedulingProblem scheduling, @Nullable DisruptionProblem standing) {
        return new Ground(scheduling, standing, new LinkedHashMap<>());
    }

    @Override
    public Reply explain(Subject subject) throws InterruptedException {
        if (!turn.tryAcquire(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            return new Reply.Busy("another question is being answered; ask again");
        }
        try {
            var asked = ground;
            var known = asked.known().get(subject);
            if (known != null) {
                return known;
            }
            var reply = new Explainer(asked.scheduling(), asked.standing()).explain(subject);
            if (asked.known().size() < ANSWERS_MAX) {
                asked.known().put(subject, reply);
            }
            return reply;
        } finally {
            turn.release();
        }
    }

    @Override
    public Reply decision(long number) {
        var reply = entries.find(number);
        return reply == null
                ? new Reply.Unknown("decision %d is too long ago".formatted(number))
                : reply;
    }
}
