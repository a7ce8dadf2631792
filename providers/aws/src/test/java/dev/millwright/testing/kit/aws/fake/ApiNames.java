package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Reads what a test gives under the names of AWS's API.
final class ApiNames {

    private ApiNames() {}

    static String text(Value.Mapping given, String field, String usual) {
        var found = given.text(field);
        return found == null ? usual : found;
    }

    static int number(Value.Mapping given, String field, int usual) {
        return given.fields().get(field) instanceof Value.Numeral(_, var text)
                ? Integer.parseInt(text)
                : usual;
    }

    static long seconds(Value.Mapping given, String field) {
        return given.fields().get(field) instanceof Value.Numeral(_, var text)
                ? Long.parseLong(text)
                : 0;
    }

    static boolean flag(Value.Mapping given, String field) {
        return given.fields().get(field) instanceof Value.Flag(_, var isTrue) && isTrue;
    }

    static @Nullable Instant instant(Value.Mapping given, String field) {
        var found = given.text(field);
        return found == null ? null : Instant.parse(found);
    }

    /// The text of a field of a field.
    static String text(Value.Mapping given, String outer, String inner, String usual) {
        return given.fields().get(outer) instanceof Value.Mapping found
                ? text(found, inner, "")
                : usual;
    }

    static SequencedMap<String, String> tags(Value.Mapping given) {
        var tags = new TreeMap<String, String>();
        if (given.fields().get("Tags") instanceof Value.Sequence(_, var elements)) {
            for (var element : elements) {
                if (element instanceof Value.Mapping tag) {
                    tags.put(text(tag, "Key", ""), text(tag, "Value", ""));
                }
            }
        }
        return tags;
    }
}
