package dev.millwright.kube.tree;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.SequencedMap;

/// Built-in kinds do not remember empty lists and nulls: an object without taints has no list of
/// them, however it was written.
@SuppressWarnings("ReferenceEquality") // What did not change was rid of its empties before.
public final class Empties {

    private Empties() {}

    /// The tree without them. What it shares with the tree before is taken as it is.
    public static Value.Mapping dropped(Value.Mapping after, Value.@Nullable Mapping before) {
        if (after == before) {
            return after;
        }
        SequencedMap<String, Value> changed = null;
        for (var field : after.fields().entrySet()) {
            var name = field.getKey();
            var value = field.getValue();
            var old = before == null ? null : before.fields().get(name);
            if (value == old) {
                continue;
            }
            var kept = isEmpty(name, value) ? null : below(value, old);
            if (kept == value) {
                continue;
            }
            changed = changed == null ? Trees.copy(after) : changed;
            if (kept == null) {
                changed.remove(name);
            } else {
                changed.put(name, kept);
            }
        }
        return changed == null ? after : new Value.Mapping(Position.NOWHERE, changed);
    }

    private static Value below(Value value, @Nullable Value old) {
        return switch (value) {
            case Value.Mapping mapping ->
                    dropped(mapping, old instanceof Value.Mapping was ? was : null);
            case Value.Sequence sequence -> list(sequence);
            case Value other -> other;
        };
    }

    private static Value list(Value.Sequence sequence) {
        var isSame = true;
        var elements = new ArrayList<Value>(sequence.elements().size());
        for (var element : sequence.elements()) {
            var kept = below(element, null);
            isSame &= kept == element;
            elements.add(kept);
        }
        return isSame ? sequence : new Value.Sequence(Position.NOWHERE, elements);
    }

    /// A node that may be scheduled does not say so.
    private static boolean isEmpty(String name, Value value) {
        return value instanceof Value.Nothing
                || (name.equals("unschedulable")
                        && value instanceof Value.Flag(_, var isTrue)
                        && !isTrue)
                || (value instanceof Value.Sequence(_, var elements) && elements.isEmpty());
    }
}
