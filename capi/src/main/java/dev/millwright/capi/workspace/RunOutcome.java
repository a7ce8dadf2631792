package dev.millwright.capi.workspace;

import dev.millwright.capi.workspace.TerraformRuns.Phase;
import dev.millwright.kube.document.Value;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How a run ended, and of which generation of the spec.
///
/// @param doubtful what Terraform was creating when it was killed: it may be there without being in
///   the state
public record RunOutcome(Result result, long generation, Instant endedAt, List<String> doubtful) {

    public RunOutcome {
        doubtful = List.copyOf(doubtful);
    }

    public sealed interface Result {

        /// The plan was read, and what it asked for was done as far as it may be.
        ///
        /// @param exists whether the state holds a resource or an output
        /// @param differs whether something is left that may not be done
        record Settled(
                boolean exists,
                boolean differs,
                Change change,
                String summary,
                SequencedMap<String, Output> outputs,
                String checksum,
                List<String> drifted)
                implements Result {
            public Settled {
                outputs = Collections.unmodifiableSequencedMap(new TreeMap<>(outputs));
                drifted = List.copyOf(drifted);
            }
        }

        /// Nothing is left in the state.
        record Destroyed() implements Result {}

        /// In Terraform's own words, shortened and without secrets.
        record Failed(Phase phase, String message) implements Result {}

        /// Somebody else holds the lock of the state.
        record Held(String holder) implements Result {}

        record Interrupted(Phase phase) implements Result {}
    }

    public enum Change {
        NONE,
        CREATED,
        UPDATED
    }

    /// Never printed: it may be a secret.
    public record Output(Value value, boolean isSensitive) {
        @Override
        public String toString() {
            return isSensitive ? "(sensitive output)" : "(output)";
        }
    }
}
