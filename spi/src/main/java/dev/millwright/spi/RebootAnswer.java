package dev.millwright.spi;

/// What a cloud says to a reboot. Asking again with the same operation is always safe.
public sealed interface RebootAnswer {

    /// It will come; whether it did shows in the node's boot id.
    record Accepted() implements RebootAnswer {}

    /// The cloud cannot reboot machines at all.
    record Unsupported() implements RebootAnswer {}

    /// It will not be done, however often it is asked for.
    record Refused(String message) implements RebootAnswer {}

    record Gone() implements RebootAnswer {}

    /// It may be done when it is asked for again.
    record Failed(String message) implements RebootAnswer {}
}
