package dev.millwright.capi.workspace;

import java.time.Instant;
import java.util.Set;

/// Terraform at work, beside the loops: a run is ordered, looked at and ends by itself. At most one
/// goes on for each Workspace. The key of its controller is rung when it gets on and when it ends.
public interface TerraformRuns {

    Look look(String uid);

    /// Nothing happens when a run of this Workspace goes on or its outcome has not been taken.
    void start(RunOrder order);

    /// Asks a run to end soon, with its state saved.
    void interrupt(String uid);

    /// Forgets the outcome of a run that has ended.
    void settle(String uid);

    /// Throws away what is kept of Workspaces that are not among these.
    void collect(Set<String> uids);

    sealed interface Look {
        record Idle() implements Look {}

        record Running(Progress progress) implements Look {}

        record Ended(RunOutcome outcome) implements Look {}
    }

    /// How far a run is.
    record Progress(Phase phase, String message, Goal goal, Instant since) {}

    /// A creation is an apply onto an empty state, as far as is known yet.
    enum Goal {
        UPKEEP,
        CREATION,
        DESTRUCTION
    }

    enum Phase {
        WAITING("Waiting"),
        INIT("Init"),
        PLAN("Plan"),
        APPLY("Apply"),
        DESTROY("Destroy");

        private final String reason;

        Phase(String reason) {
            this.reason = reason;
        }

        /// As the condition shows it.
        public String reason() {
            return reason;
        }
    }
}
