package dev.millwright.core.explain;

import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.KeepReason;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What becomes of a node, why, and the smallest change that would let it go.
public record NodeExplanation(String node, Verdict verdict, @Nullable Fix fix) {

    public sealed interface Verdict {

        /// It may go now; others may come first.
        record Goes(Command command) implements Verdict {}

        /// It stays, by what each way of taking nodes away says.
        record Kept(List<Said> said) implements Verdict {
            public Kept {
                said = List.copyOf(said);
            }
        }
    }

    /// What one way of taking nodes away says about it.
    public record Said(DisruptionMethod method, KeepReason reason) {}

    public sealed interface Fix {

        record Found(List<NodeChange> changes, Command command) implements Fix {
            public Found {
                changes = List.copyOf(changes);
            }
        }

        /// Nobody can change it, or nobody should.
        record None(String why) implements Fix {}
    }
}
