package dev.millwright.testing.kit.generator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// A snapshot as plain JSON values: a Kubernetes List with a catalogue and options beside it. It is
/// the one truth about a generated world; problems for our planner and for the peer are both read
/// from it.
public record Document(Map<String, Object> root) {

    public List<Object> items() {
        return Tree.list(root, "items");
    }

    public List<Object> instanceTypes() {
        return Tree.list(root, "instanceTypes");
    }

    public long count(String kind) {
        return items().stream().filter(item -> Tree.text(item, "kind").equals(kind)).count();
    }

    /// Whether some field of this name, however deep, has such a value.
    public boolean contains(String field, Predicate<Object> isMeant) {
        var open = new ArrayDeque<Object>();
        open.add(root);
        while (!open.isEmpty()) {
            switch (open.remove()) {
                case Map<?, ?> map -> {
                    var found = map.get(field);
                    if (found != null && isMeant.test(found)) {
                        return true;
                    }
                    open.addAll(map.values());
                }
                case List<?> list -> open.addAll(list);
                default -> {}
            }
        }
        return false;
    }

    Document with(String field, Object value) {
        var copy = Tree.map();
        copy.putAll(root);
        copy.put(field, value);
        return new Document(copy);
    }

    /// Without the value at a path of map keys and list indexes.
    Document without(List<Object> path) {
        var copy = new LinkedHashMap<String, Object>();
        if (without(root, path) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> copy.put(key.toString(), value));
        }
        return new Document(copy);
    }

    private static Object without(Object value, List<Object> path) {
        var step = path.getFirst();
        var isLast = path.size() == 1;
        return switch (value) {
            case Map<?, ?> map -> {
                var copy = new LinkedHashMap<String, Object>();
                map.forEach(
                        (key, each) -> {
                            if (!key.equals(step)) {
                                copy.put(key.toString(), each);
                            } else if (!isLast) {
                                copy.put(
                                        key.toString(),
                                        without(each, path.subList(1, path.size())));
                            }
                        });
                yield copy;
            }
            case List<?> list -> {
                var copy = new ArrayList<Object>();
                for (var index = 0; index < list.size(); index++) {
                    if (!step.equals(index)) {
                        copy.add(list.get(index));
                    } else if (!isLast) {
                        copy.add(without(list.get(index), path.subList(1, path.size())));
                    }
                }
                yield copy;
            }
            default -> value;
        };
    }

    @Override
    public String toString() {
        return SnapshotWriter.indented(this);
    }
}
