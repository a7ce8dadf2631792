package dev.millwright.kube.tree;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.SequencedMap;

/// RFC 7386: fields of the patch replace those of the object, null takes them away, mappings are
/// merged.
public final class MergePatch {

    private MergePatch() {}

    /// The object itself where the patch changes nothing.
    @SuppressWarnings(
            "ReferenceEquality") // Equal values were made one below, so that this is cheap.
    public static Value.Mapping apply(Value.Mapping object, Value.Mapping patch) {
        SequencedMap<String, Value> changed = null;
        for (var field : patch.fields().entrySet()) {
            var name = field.getKey();
            var before = object.fields().get(name);
            var after = merged(before, field.getValue());
            if (after == before) {
                continue;
            }
            if (changed == null) {
                changed = Trees.copy(object);
            }
            if (after == null) {
                changed.remove(name);
            } else {
                changed.put(name, after);
            }
        }
        return changed == null ? object : new Value.Mapping(Position.NOWHERE, changed);
    }

    /// What a field is after its patch, null where it is gone; the same value where it is equal.
    private static @Nullable Value merged(@Nullable Value before, Value patch) {
        return switch (patch) {
            case Value.Nothing(_) -> null;
            case Value.Mapping mapping ->
                    apply(before instanceof Value.Mapping was ? was : Trees.EMPTY, mapping);
            case Value other -> other.equals(before) ? before : other;
        };
    }
}
