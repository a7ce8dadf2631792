package dev.millwright.core.explain;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How a pool does, all that was found about it, and the smallest change that would mend what is
/// worst.
public record PoolExplanation(
        String nodePool, Verdict verdict, List<PoolFinding> findings, @Nullable Fix fix) {

    public PoolExplanation {
        findings = List.copyOf(findings);
    }

    /// The worst first: the first that is so is the verdict.
    public enum Verdict {
        /// Nobody buys from it: it is not ready, is going, or asks for what nobody may ask for.
        NOT_READY("NotReady"),
        /// It could not buy a node even for a pod that asks for nothing.
        BUYS_NOTHING("BuysNothing"),
        /// It buys, but pods wait that it refuses, and so does every other pool.
        REFUSES_PODS("RefusesPods"),
        /// For some reason none of its nodes may go by choice now.
        KEEPS_NODES("KeepsNodes"),
        WORKS("Works");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public sealed interface Fix {

        /// Changes of the pool with which a node was planned.
        record Buying(List<PoolChange> changes) implements Fix {
            public Buying {
                changes = List.copyOf(changes);
            }
        }

        /// Changes with which its nodes may go.
        record Leaving(List<NodeChange> changes) implements Fix {
            public Leaving {
                changes = List.copyOf(changes);
            }
        }

        record None(String why) implements Fix {}
    }
}
