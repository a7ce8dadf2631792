package dev.millwright.world.invariant.seen;

import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Reads single fields of an object. Pods change so often that reading each of them whole would
/// cost more than the rest of the judging.
final class Paths {

    private static final SequencedMap<String, String> NO_TEXTS =
            Collections.unmodifiableSequencedMap(new TreeMap<>());

    private Paths() {}

    static @Nullable Value at(@Nullable Value from, String... path) {
        var value = from;
        for (var step : path) {
            if (!(value instanceof Value.Mapping(_, var fields))) {
                return null;
            }
            value = fields.get(step);
        }
        return value;
    }

    static String text(@Nullable Value from, String... path) {
        return at(from, path) instanceof Value.Text(_, var text) ? text : "";
    }

    static @Nullable Long number(@Nullable Value from, String... path) {
        try {
            return at(from, path) instanceof Value.Numeral(_, var text) ? Long.valueOf(text) : null;
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }

    static boolean flag(@Nullable Value from, String... path) {
        return at(from, path) instanceof Value.Flag(_, var isTrue) && isTrue;
    }

    static @Nullable Instant instant(@Nullable Value from, String... path) {
        try {
            return at(from, path) instanceof Value.Text(_, var text) ? Instant.parse(text) : null;
        } catch (DateTimeException notATime) {
            return null;
        }
    }

    static List<Value> list(@Nullable Value from, String... path) {
        return at(from, path) instanceof Value.Sequence(_, var elements) ? elements : List.of();
    }

    static SequencedMap<String, String> texts(@Nullable Value from) {
        if (!(from instanceof Value.Mapping(_, var fields)) || fields.isEmpty()) {
            return NO_TEXTS;
        }
        var texts = new TreeMap<String, String>();
        fields.forEach(
                (key, value) -> {
                    if (value instanceof Value.Text(_, var text)) {
                        texts.put(key, text);
                    }
                });
        return Collections.unmodifiableSequencedMap(texts);
    }
}
