package dev.millwright.capi.terraform;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/// How a run gets at the state of its workspace and keeps others from it.
interface StateKeeper {

    /// For `init`.
    List<String> initArguments() throws IOException;

    /// Once the folder is initialised: chooses the workspace.
    void open() throws IOException, InterruptedException;

    StateFile current() throws IOException, InterruptedException;

    /// Before what changes the state. Null when it may begin, else who holds the lock.
    @Nullable String lock() throws IOException;

    /// Again and again while the state changes.
    void save();

    /// After what changed the state, however it ended.
    void unlock() throws IOException, InterruptedException;

    /// Whether a command failed because of the lock, which is freed if its holder is gone.
    Trouble trouble(Commands.Told told) throws IOException, InterruptedException;

    sealed interface Trouble {
        record None() implements Trouble {}

        /// The command may be tried again.
        record Freed() implements Trouble {}

        record Held(String holder) implements Trouble {}
    }

    /// Nothing is left in it: away with the workspace.
    void remove() throws IOException, InterruptedException;
}
