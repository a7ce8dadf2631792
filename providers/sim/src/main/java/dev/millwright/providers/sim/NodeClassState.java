package dev.millwright.providers.sim;

import dev.millwright.core.policy.NodePool.NodeClassRef;

import java.time.Duration;

/// What is known of a claim's NodeClass when a machine is to be launched.
public sealed interface NodeClassState {

    /// A node of the class joins its cluster no sooner than `registrationDelay` after its launch.
    record Ready(Duration registrationDelay) implements NodeClassState {}

    record NotReady(String message) implements NodeClassState {}

    record Missing(String message) implements NodeClassState {}

    /// It could not be found out.
    record Unknown(String message) implements NodeClassState {}

    @FunctionalInterface
    interface Lookup {

        /// For clouds that need no class.
        Lookup ALL_READY = reference -> new Ready(Duration.ZERO);

        NodeClassState find(NodeClassRef reference);
    }
}
