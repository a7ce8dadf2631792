package dev.millwright.providers.aws.sdk;

import org.jspecify.annotations.Nullable;

import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// The SDK says null for what an answer leaves out; our records say empty or zero.
final class Absent {

    private Absent() {}

    static String text(@Nullable String found) {
        return found == null ? "" : found;
    }

    static int number(@Nullable Integer found) {
        return found == null ? 0 : found;
    }

    static long number(@Nullable Long found) {
        return found == null ? 0 : found;
    }

    static double number(@Nullable Double found) {
        return found == null ? 0 : found;
    }

    static boolean flag(@Nullable Boolean found) {
        return found != null && found;
    }

    /// Each service has a tag class of its own.
    static <T> SequencedMap<String, String> tags(
            Iterable<T> tags, Function<T, String> key, Function<T, @Nullable String> value) {
        var map = new TreeMap<String, String>();
        tags.forEach(tag -> map.put(key.apply(tag), text(value.apply(tag))));
        return map;
    }
}
