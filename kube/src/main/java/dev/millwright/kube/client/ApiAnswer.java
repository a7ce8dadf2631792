package dev.millwright.kube.client;

import dev.millwright.kube.document.Value;

/// What the API server said.
public sealed interface ApiAnswer {

    /// The object as it is now. A finished delete or an eviction answers with a Status instead.
    record Done(Value.Mapping object) implements ApiAnswer {}

    /// `reason` is the machine-readable word of the Status, e.g. `AlreadyExists`.
    record Refused(int code, String reason, String message) implements ApiAnswer {}

    /// No answer came: the write may have happened or not.
    record Unreachable(String message) implements ApiAnswer {}

    default boolean isDone() {
        return this instanceof Done;
    }

    default boolean isNotFound() {
        return hasCode(404);
    }

    /// Somebody else was first: a newer version, an object of that name, another uid.
    default boolean isConflict() {
        return hasCode(409);
    }

    default boolean isTooManyRequests() {
        return hasCode(429);
    }

    default boolean hasCode(int wanted) {
        return this instanceof Refused(var code, _, _) && code == wanted;
    }

    default String explain() {
        return switch (this) {
            case Done(_) -> "done";
            case Refused(var code, var reason, var message) ->
                    "%d %s: %s".formatted(code, reason, message);
            case Unreachable(var message) -> "no answer: " + message;
        };
    }
}
