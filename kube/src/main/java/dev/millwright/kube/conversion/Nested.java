package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;

/// Copies of mappings in which one thing deep inside is another. Mappings on the way that are
/// missing are made; those that become empty by a removal stay.
final class Nested {

    private Nested() {}

    static @Nullable Value find(Value.Mapping tree, String... path) {
        Value at = tree;
        for (var step : path) {
            if (!(at instanceof Value.Mapping(_, var fields))) {
                return null;
            }
            at = fields.get(step);
            if (at == null || at instanceof Value.Nothing) {
                return null;
            }
        }
        return at;
    }

    static @Nullable String text(Value.Mapping tree, String... path) {
        return find(tree, path) instanceof Value.Text(_, var text) ? text : null;
    }

    /// Empty where there is none, or something else.
    static Value.Mapping mapping(Value.Mapping tree, String... path) {
        return find(tree, path) instanceof Value.Mapping mapping ? mapping : Tree.of().mapping();
    }

    static List<Value> list(Value.Mapping tree, String... path) {
        return find(tree, path) instanceof Value.Sequence(_, var elements) ? elements : List.of();
    }

    static Value.Mapping with(Value.Mapping tree, Value value, String... path) {
        return with(tree, value, List.of(path));
    }

    static Value.Mapping with(Value.Mapping tree, String text, String... path) {
        return with(tree, Tree.text(text), List.of(path));
    }

    private static Value.Mapping with(Value.Mapping tree, Value value, List<String> path) {
        var fields = new LinkedHashMap<>(tree.fields());
        var step = path.getFirst();
        if (path.size() == 1) {
            fields.put(step, value);
        } else {
            var below = mapping(tree, step);
            fields.put(step, with(below, value, path.subList(1, path.size())));
        }
        return new Value.Mapping(tree.position(), fields);
    }

    static Value.Mapping without(Value.Mapping tree, String... path) {
        return without(tree, List.of(path));
    }

    private static Value.Mapping without(Value.Mapping tree, List<String> path) {
        var step = path.getFirst();
        if (!tree.fields().containsKey(step)) {
            return tree;
        }
        var fields = new LinkedHashMap<>(tree.fields());
        if (path.size() == 1) {
            fields.remove(step);
        } else if (fields.get(step) instanceof Value.Mapping below) {
            fields.put(step, without(below, path.subList(1, path.size())));
        }
        return new Value.Mapping(tree.position(), fields);
    }

    /// Without an annotation, and without the map of them when it was the last.
    static Value.Mapping withoutAnnotation(Value.Mapping object, String key) {
        var less = without(object, "metadata", "annotations", key);
        return find(less, "metadata", "annotations") instanceof Value.Mapping(_, var left)
                        && left.isEmpty()
                ? without(less, "metadata", "annotations")
                : less;
    }

    static Value.Mapping withAnnotation(Value.Mapping object, String key, String text) {
        return with(object, text, "metadata", "annotations", key);
    }

    static Value number(long number) {
        return new Value.Numeral(Position.NOWHERE, Long.toString(number));
    }
}
