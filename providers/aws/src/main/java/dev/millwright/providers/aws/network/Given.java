package dev.millwright.providers.aws.network;

import dev.millwright.providers.aws.api.Filter;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What terms give to be asked for by value.
final class Given {

    private Given() {}

    static Stream<String> stream(@Nullable String text) {
        return Stream.ofNullable(text);
    }

    /// Adds one question for all the values, each once and in order; none where there are none.
    static void of(String filter, List<String> values, List<List<Filter>> questions) {
        if (!values.isEmpty()) {
            questions.add(List.of(new Filter(filter, List.copyOf(new TreeSet<>(values)))));
        }
    }
}
