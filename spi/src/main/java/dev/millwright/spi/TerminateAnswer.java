package dev.millwright.spi;

/// What a cloud says to a termination. Asking again is always safe.
public sealed interface TerminateAnswer {

    /// On its way out; ask again until it is gone.
    record Started() implements TerminateAnswer {}

    record Gone() implements TerminateAnswer {}

    record Failed(String message) implements TerminateAnswer {}
}
