package dev.millwright.capi.terraform;

import dev.millwright.capi.workspace.TerraformRuns.Goal;
import dev.millwright.capi.workspace.TerraformRuns.Phase;
import dev.millwright.capi.workspace.TerraformRuns.Progress;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/// The strings of one run: how far it is, and whether it is to end.
final class RunControl {

    /// Between two calls of the controller about one run.
    private static final Duration RING_MIN = Duration.ofSeconds(5);

    private final boolean isDestroy;
    private final InstantSource clock;
    private final Instant begun;
    private final Runnable bell;
    private final Consumer<String> log;
    private volatile Instant deadline = Instant.MAX;
    private volatile boolean isInterrupted;
    private volatile Progress progress;
    private Progress rung;
    private Instant rungAt;

    RunControl(boolean isDestroy, InstantSource clock, Runnable bell, Consumer<String> log) {
        this.isDestroy = isDestroy;
        this.clock = clock;
        this.bell = bell;
        this.log = log;
        this.begun = clock.instant();
        this.progress = new Progress(Phase.WAITING, "waits for its turn", goal(false), begun);
        this.rung = progress;
        this.rungAt = Instant.EPOCH;
    }

    private Goal goal(boolean isCreation) {
        if (isDestroy) {
            return Goal.DESTRUCTION;
        }
        return isCreation ? Goal.CREATION : Goal.UPKEEP;
    }

    /// The time of a run begins when it does, not when it is ordered.
    void limit(Duration timeout) {
        deadline = clock.instant().plus(timeout);
    }

    Instant now() {
        return clock.instant();
    }

    Progress progress() {
        return progress;
    }

    void log(String line) {
        log.accept(line);
    }

    /// From the run's own thread only.
    void tell(Phase phase, String message, boolean isCreation) {
        var goal = goal(isCreation);
        progress = new Progress(phase, message, goal, begun);
        var now = clock.instant();
        var isNew = phase != rung.phase() || goal != rung.goal();
        if (isNew || (!message.equals(rung.message()) && !now.isBefore(rungAt.plus(RING_MIN)))) {
            rung = progress;
            rungAt = now;
            bell.run();
        }
    }

    void interrupt() {
        isInterrupted = true;
    }

    boolean isTimedOut() {
        return !clock.instant().isBefore(deadline);
    }

    boolean isInterrupted() {
        return isInterrupted || isTimedOut();
    }
}
