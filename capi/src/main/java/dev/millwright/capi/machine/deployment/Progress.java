package dev.millwright.capi.machine.deployment;

import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Whether a rollout moves. The condition's time is that of the last movement, for a condition has
/// no other: from it the deadline is counted, by whichever process looks.
final class Progress {

    static final String CONDITION = "Progressing";
    static final String MOVED = "MachineSetUpdated";
    static final String COMPLETE = "NewMachineSetAvailable";
    static final String PAUSED = "DeploymentPaused";
    static final String LATE = "ProgressDeadlineExceeded";

    private Progress() {}

    /// What is known of a rollout at one look.
    ///
    /// @param isBegun whether a set for a new template is being made just now
    record Look(Counts before, Counts after, int replicas, boolean isBegun, boolean isOfTemplate) {}

    static Condition of(
            @Nullable Condition last,
            Look look,
            DeploymentSpec spec,
            long generation,
            Instant now) {
        var after = look.after();
        var words =
                "%d of %d machines are updated, %d of %d available"
                        .formatted(
                                after.updated(),
                                look.replicas(),
                                after.available(),
                                look.replicas());
        var reason = last == null ? "" : last.reason();
        var next = reason(last, look, spec, now);
        var status =
                switch (next) {
                    case PAUSED -> Status.UNKNOWN;
                    case LATE -> Status.FALSE;
                    default -> Status.TRUE;
                };
        var isMoved = !next.equals(reason) || (next.equals(MOVED) && after.isBeyond(look.before()));
        return new Condition(
                CONDITION,
                status,
                next,
                next.equals(LATE)
                        ? "%s; nothing moved for %ds"
                                .formatted(words, spec.progressDeadline().toSeconds())
                        : words,
                last == null || isMoved || look.isBegun() ? now : last.changedAt(),
                generation);
    }

    private static String reason(
            @Nullable Condition last, Look look, DeploymentSpec spec, Instant now) {
        var after = look.after();
        if (spec.isPaused()) {
            return PAUSED;
        }
        if (look.isOfTemplate() && after.isComplete(look.replicas())) {
            return COMPLETE;
        }
        var reason = last == null ? "" : last.reason();
        // Another number of machines of the same template is no rollout.
        if (reason.equals(COMPLETE) && look.isOfTemplate() && after.total() == after.updated()) {
            return COMPLETE;
        }
        var isMoved = look.isBegun() || after.isBeyond(look.before());
        if (isMoved || last == null || reason.equals(PAUSED) || reason.equals(COMPLETE)) {
            return MOVED;
        }
        return reason.equals(LATE) || !now.isBefore(deadline(last, spec)) ? LATE : MOVED;
    }

    private static Instant deadline(Condition moved, DeploymentSpec spec) {
        return moved.changedAt().plus(spec.progressDeadline());
    }

    /// Until the deadline passes; null when none runs.
    static @Nullable Duration untilLate(Condition condition, DeploymentSpec spec, Instant now) {
        if (!condition.reason().equals(MOVED)) {
            return null;
        }
        var left = Duration.between(now, deadline(condition, spec));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
