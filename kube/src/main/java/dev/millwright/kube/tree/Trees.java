package dev.millwright.kube.tree;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;

/// Reading trees by path, and making changed ones that share all that did not change.
@SuppressWarnings(
        "ReferenceEquality") // Whether a part changed is seen by what it is, not by walking it.
public final class Trees {

    public static final Value.Mapping EMPTY = Tree.of().mapping();

    private static final String METADATA = "metadata";

    private Trees() {}

    public static @Nullable Value at(Value.Mapping object, String... path) {
        Value at = object;
        for (var step : path) {
            if (!(at instanceof Value.Mapping(_, var fields))) {
                return null;
            }
            at = fields.get(step);
        }
        return at;
    }

    /// Empty where there is no text.
    public static String text(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Text(_, var text) ? text : "";
    }

    /// Null where there is no whole number.
    public static @Nullable Long number(Value.Mapping object, String... path) {
        if (!(at(object, path) instanceof Value.Numeral(_, var text))) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }

    public static boolean isTrue(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Flag(_, var isTrue) && isTrue;
    }

    public static List<Value> list(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Sequence(_, var elements) ? elements : List.of();
    }

    public static Value.Mapping mapping(Value.Mapping object, String... path) {
        return at(object, path) instanceof Value.Mapping found ? found : EMPTY;
    }

    /// A text of the object's metadata.
    public static String meta(Value.Mapping object, String field) {
        return object.fields().get(METADATA) instanceof Value.Mapping(_, var fields)
                        && fields.get(field) instanceof Value.Text(_, var text)
                ? text
                : "";
    }

    public static Value.Mapping with(Value.Mapping object, String field, Value value) {
        if (object.fields().get(field) == value) {
            return object;
        }
        var fields = copy(object);
        fields.put(field, value);
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    public static Value.Mapping without(Value.Mapping object, String field) {
        return object.fields().containsKey(field)
                ? changed(object, fields -> fields.remove(field))
                : object;
    }

    /// The object with this field as the other has it, or has it not.
    public static Value.Mapping copied(Value.Mapping object, Value.Mapping other, String field) {
        var wanted = other.fields().get(field);
        if (wanted == object.fields().get(field)) {
            return object;
        }
        return wanted == null ? without(object, field) : with(object, field, wanted);
    }

    /// The object after a change of its fields.
    public static Value.Mapping changed(
            Value.Mapping object, Consumer<SequencedMap<String, Value>> change) {
        var fields = copy(object);
        change.accept(fields);
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    /// Its fields, to be changed. Walking them this way makes no entry for each.
    public static SequencedMap<String, Value> copy(Value.Mapping object) {
        var fields = LinkedHashMap.<String, Value>newLinkedHashMap(object.fields().size() + 1);
        object.fields().forEach(fields::put);
        return fields;
    }

    /// The object after a change of its metadata.
    public static Value.Mapping withMeta(
            Value.Mapping object, Consumer<SequencedMap<String, Value>> change) {
        return with(object, METADATA, changed(mapping(object, METADATA), change));
    }

    public static Value text(String text) {
        return new Value.Text(Position.NOWHERE, text);
    }

    public static Value number(long number) {
        return new Value.Numeral(Position.NOWHERE, Long.toString(number));
    }

    /// The same tree without positions in files, so that equal trees are equal; the tree itself
    /// where it has none.
    public static Value bare(Value value) {
        return switch (value) {
            case Value.Text(var position, var text) ->
                    position.equals(Position.NOWHERE) ? value : text(text);
            case Value.Numeral(var position, var text) ->
                    position.equals(Position.NOWHERE)
                            ? value
                            : new Value.Numeral(Position.NOWHERE, text);
            case Value.Flag(var position, var isTrue) ->
                    position.equals(Position.NOWHERE)
                            ? value
                            : new Value.Flag(Position.NOWHERE, isTrue);
            case Value.Nothing(var position) ->
                    position.equals(Position.NOWHERE) ? value : new Value.Nothing(Position.NOWHERE);
            case Value.Sequence sequence -> bareSequence(sequence);
            case Value.Mapping mapping -> bareMapping(mapping);
        };
    }

    private static Value bareSequence(Value.Sequence sequence) {
        var isSame = sequence.position().equals(Position.NOWHERE);
        var elements = new ArrayList<Value>(sequence.elements().size());
        for (var element : sequence.elements()) {
            var bare = bare(element);
            isSame &= bare == element;
            elements.add(bare);
        }
        return isSame ? sequence : new Value.Sequence(Position.NOWHERE, elements);
    }

    public static Value.Mapping bareMapping(Value.Mapping mapping) {
        var isSame = mapping.position().equals(Position.NOWHERE);
        var fields = LinkedHashMap.<String, Value>newLinkedHashMap(mapping.fields().size());
        for (var field : mapping.fields().entrySet()) {
            var bare = bare(field.getValue());
            isSame &= bare == field.getValue();
            fields.put(field.getKey(), bare);
        }
        return isSame ? mapping : new Value.Mapping(Position.NOWHERE, fields);
    }
}
