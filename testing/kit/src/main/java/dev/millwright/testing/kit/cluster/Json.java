package dev.millwright.testing.kit.cluster;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;

/// Reading and changing trees by path.
final class Json {

    private Json() {}

    private static @Nullable Value at(Value.Mapping object, String... path) {
        Value at = object;
        for (var step : path) {
            if (!(at instanceof Value.Mapping(_, var fields))) {
                return null;
            }
            at = fields.get(step);
        }
        return at;
    }

    static String text(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Text(_, var text) ? text : "";
    }

    static @Nullable Long number(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Numeral(_, var text) ? Long.valueOf(text) : null;
    }

    static List<Value> list(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Sequence(_, var elements) ? elements : List.of();
    }

    static Value.Mapping mapping(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Mapping found ? found : Tree.of().mapping();
    }

    static Value.Mapping with(Value.Mapping object, String field, Value value) {
        var fields = new LinkedHashMap<>(object.fields());
        fields.put(field, value);
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    static Value.Mapping without(Value.Mapping object, String field) {
        var fields = new LinkedHashMap<>(object.fields());
        fields.remove(field);
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    /// The object with these fields as the other has them.
    static Value.Mapping copy(Value.Mapping object, Value.Mapping other, String... fields) {
        var copy = object;
        for (var field : fields) {
            var value = other.fields().get(field);
            copy = value == null ? without(copy, field) : with(copy, field, value);
        }
        return copy;
    }

    static long generation(Value.Mapping object) {
        var generation = number(object, "metadata", "generation");
        return generation == null ? 0 : generation;
    }

    static Value.Mapping withGeneration(Value.Mapping object, long generation) {
        var metadata =
                with(
                        mapping(object, "metadata"),
                        "generation",
                        new Value.Numeral(Position.NOWHERE, Long.toString(generation)));
        return with(object, "metadata", metadata);
    }

    static Value.Mapping withVersion(Value.Mapping object, String version) {
        return with(
                object,
                "metadata",
                with(mapping(object, "metadata"), "resourceVersion", Tree.text(version)));
    }
}
