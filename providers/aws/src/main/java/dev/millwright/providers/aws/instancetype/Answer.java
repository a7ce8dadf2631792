package dev.millwright.providers.aws.instancetype;

import dev.millwright.providers.aws.api.AwsFault;

import org.jspecify.annotations.Nullable;

/// What AWS answered to a question, or why it did not: exactly one of both is there.
public record Answer<T>(@Nullable T told, @Nullable String fault) {

    @FunctionalInterface
    public interface Question<T> {
        T ask() throws AwsFault;
    }

    public static <T> Answer<T> to(Question<T> question) {
        try {
            return told(question.ask());
        } catch (AwsFault fault) {
            return failed(fault.text());
        }
    }

    public static <T> Answer<T> told(T told) {
        return new Answer<>(told, null);
    }

    public static <T> Answer<T> failed(String fault) {
        return new Answer<>(null, fault);
    }
}
