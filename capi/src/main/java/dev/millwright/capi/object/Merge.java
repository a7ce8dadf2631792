package dev.millwright.capi.object;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;

/// Merge patches as values: whether one changes anything, and which one turns an object into
/// another. Where a value stood in its file does not count.
public final class Merge {

    private static final Value NOTHING = new Value.Nothing(Position.NOWHERE);

    private Merge() {}

    /// Whether the patch leaves another object than this.
    public static boolean changes(Field before, Value.Mapping patch) {
        return changes(before.value(), patch);
    }

    private static boolean changes(@Nullable Value before, Value patch) {
        return switch (patch) {
            case Value.Nothing(_) -> before != null && !(before instanceof Value.Nothing);
            case Value.Mapping(_, var fields) -> {
                if (!(before instanceof Value.Mapping(_, var had))) {
                    yield true;
                }
                yield fields.entrySet().stream()
                        .anyMatch(field -> changes(had.get(field.getKey()), field.getValue()));
            }
            case Value other -> before == null || !isSame(before, other);
        };
    }

    /// The patch that leaves this and nothing else.
    public static Value.Mapping replacement(@Nullable Value before, Value.Mapping after) {
        var patch = new LinkedHashMap<String, Value>();
        if (before instanceof Value.Mapping(_, var had)) {
            had.keySet().stream()
                    .filter(name -> !after.fields().containsKey(name))
                    .forEach(name -> patch.put(name, NOTHING));
            after.fields()
                    .forEach(
                            (name, value) ->
                                    patch.put(
                                            name,
                                            value instanceof Value.Mapping mapping
                                                    ? replacement(had.get(name), mapping)
                                                    : value));
        } else {
            patch.putAll(after.fields());
        }
        return new Value.Mapping(Position.NOWHERE, patch);
    }

    public static boolean isSame(Value one, Value other) {
        return switch (one) {
            case Value.Text(_, var text) ->
                    other instanceof Value.Text(_, var that) && text.equals(that);
            case Value.Numeral(_, var text) ->
                    other instanceof Value.Numeral(_, var that) && text.equals(that);
            case Value.Flag(_, var isTrue) ->
                    other instanceof Value.Flag(_, var that) && isTrue == that;
            case Value.Nothing(_) -> other instanceof Value.Nothing;
            case Value.Sequence(_, var elements) -> {
                if (!(other instanceof Value.Sequence(_, var those))
                        || elements.size() != those.size()) {
                    yield false;
                }
                var index = 0;
                while (index < elements.size() && isSame(elements.get(index), those.get(index))) {
                    index++;
                }
                yield index == elements.size();
            }
            case Value.Mapping(_, var fields) ->
                    other instanceof Value.Mapping(_, var those)
                            && fields.keySet().equals(those.keySet())
                            && fields.entrySet().stream()
                                    .noneMatch(
                                            field ->
                                                    differs(
                                                            field.getValue(),
                                                            those.get(field.getKey())));
        };
    }

    private static boolean differs(Value one, @Nullable Value other) {
        return other == null || !isSame(one, other);
    }
}
