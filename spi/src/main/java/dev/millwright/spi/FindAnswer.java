package dev.millwright.spi;

/// What a cloud says when asked for one machine.
public sealed interface FindAnswer {

    record Found(Machine machine) implements FindAnswer {}

    record Gone() implements FindAnswer {}

    record Failed(String message) implements FindAnswer {}
}
