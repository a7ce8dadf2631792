package dev.millwright.world.http;

import java.util.function.Supplier;

/// The one thread that may touch a world.
public interface WorldThread {

    /// Asks between two things that happen in the world, and waits for the answer.
    ///
    /// @throws InterruptedException when the caller is interrupted, or the world has ended
    <T> T ask(Supplier<T> question) throws InterruptedException;
}
