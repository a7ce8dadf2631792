package dev.millwright.spi;

/// What a cloud says to a launch.
public sealed interface LaunchAnswer {

    record Launched(Machine machine) implements LaunchAnswer {}

    /// Nothing of what the claim allows is to be had now. The cloud remembers which offerings were
    /// out, so that the next plan chooses others.
    record InsufficientCapacity(String message) implements LaunchAnswer {}

    record NodeClassNotReady(String message) implements LaunchAnswer {}

    /// A fault with a name, shown in the claim's condition. Worth another try.
    record Refused(String reason, String message) implements LaunchAnswer {}

    /// Any other fault. Worth another try.
    record Failed(String message) implements LaunchAnswer {}
}
