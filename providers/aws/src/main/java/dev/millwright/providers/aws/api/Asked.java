package dev.millwright.providers.aws.api;

/// What AWS said to a question that it may refuse to answer, as a value.
public sealed interface Asked<T> {

    record Told<T>(T value) implements Asked<T> {}

    record Refused<T>(AwsFault fault) implements Asked<T> {}

    @FunctionalInterface
    interface Question<T> {
        T ask() throws AwsFault;
    }

    static <T> Asked<T> of(Question<T> question) {
        try {
            return new Told<>(question.ask());
        } catch (AwsFault fault) {
            return new Refused<>(fault);
        }
    }
}
