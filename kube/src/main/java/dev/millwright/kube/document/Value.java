package dev.millwright.kube.document;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;

/// A value of a JSON or YAML document, and where it stood.
public sealed interface Value {

    Position position();

    record Text(Position position, String text) implements Value {}

    /// A number as it was written, so that no digit is lost before its meaning is known.
    record Numeral(Position position, String text) implements Value {}

    record Flag(Position position, boolean isTrue) implements Value {}

    record Nothing(Position position) implements Value {}

    record Sequence(Position position, List<Value> elements) implements Value {
        public Sequence {
            elements = Collections.unmodifiableList(elements);
        }
    }

    /// Fields in the order of the file.
    record Mapping(Position position, SequencedMap<String, Value> fields) implements Value {
        public Mapping {
            fields = Collections.unmodifiableSequencedMap(fields);
        }

        /// The text of a field; null where there is none, or something else.
        public @Nullable String text(String field) {
            return fields.get(field) instanceof Text(_, var text) ? text : null;
        }
    }

    /// What was found, in words for a message.
    default String describe() {
        return switch (this) {
            case Text(_, var text) -> "\"" + Shortened.of(text) + "\"";
            case Numeral(_, var text) -> "the number " + Shortened.of(text);
            case Flag(_, var isTrue) -> "the boolean " + isTrue;
            case Nothing(_) -> "null";
            case Sequence(_, var elements) -> "a list of %d".formatted(elements.size());
            case Mapping(_, var fields) -> "a mapping of %d fields".formatted(fields.size());
        };
    }
}
