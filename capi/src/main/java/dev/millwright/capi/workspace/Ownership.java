package dev.millwright.capi.workspace;

/// Whether Workspaces are ours to run. Two controllers on one kind would apply everything twice.
@FunctionalInterface
public interface Ownership {

    Answer now();

    sealed interface Answer {
        record Ours() implements Answer {}

        /// @param who for the log
        record Theirs(String who) implements Answer {}
    }
}
