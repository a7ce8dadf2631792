package dev.millwright.testing.kit.generator;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Plain JSON values: maps, lists, texts, numbers and booleans.
final class Tree {

    private Tree() {}

    /// A map of the given keys and values in turn; a pair whose value is null is left out.
    static Map<String, Object> map(@Nullable Object... keysAndValues) {
        var map = new LinkedHashMap<String, Object>();
        for (var index = 0; index < keysAndValues.length; index += 2) {
            var key = keysAndValues[index];
            var value = keysAndValues[index + 1];
            if (key != null && value != null) {
                map.put(key.toString(), value);
            }
        }
        return map;
    }

    static @Nullable Object unlessEmpty(Object value) {
        var isEmpty =
                (value instanceof Map<?, ?> map && map.isEmpty())
                        || (value instanceof List<?> list && list.isEmpty());
        return isEmpty ? null : value;
    }

    static Object copy(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                var copy = new LinkedHashMap<String, Object>();
                map.forEach((key, each) -> copy.put(key.toString(), copy(each)));
                yield copy;
            }
            case List<?> list -> {
                var copy = new ArrayList<Object>();
                list.forEach(each -> copy.add(copy(each)));
                yield copy;
            }
            default -> value;
        };
    }

    /// The value at a path of map keys, or null.
    static @Nullable Object at(Object value, String... path) {
        Object found = value;
        for (var key : path) {
            if (!(found instanceof Map<?, ?> map)) {
                return null;
            }
            var next = map.get(key);
            if (next == null) {
                return null;
            }
            found = next;
        }
        return found;
    }

    static String text(Object value, String... path) {
        return at(value, path) instanceof String text ? text : "";
    }

    static List<Object> list(Object value, String... path) {
        var elements = new ArrayList<Object>();
        if (at(value, path) instanceof List<?> list) {
            list.forEach(elements::add);
        }
        return elements;
    }
}
