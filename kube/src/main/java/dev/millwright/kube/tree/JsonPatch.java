package dev.millwright.kube.tree;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// RFC 6902: a list of operations, all or none.
public final class JsonPatch {

    /// Operations of one patch, as the real server allows.
    private static final int OPERATIONS_MAX = 10_000;

    /// An operation that cannot be done: the server answers 422 with these words.
    public static final class Unprocessable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unprocessable(String message) {
            super(message);
        }
    }

    private JsonPatch() {}

    /// @throws Unprocessable when an operation names what is not there, or a test fails
    public static Value.Mapping apply(Value.Mapping object, List<Value> operations) {
        if (operations.size() > OPERATIONS_MAX) {
            throw new Unprocessable(
                    "the patch has %d operations; at most %d are allowed"
                            .formatted(operations.size(), OPERATIONS_MAX));
        }
        Value document = object;
        for (var operation : operations) {
            if (!(operation instanceof Value.Mapping mapping)) {
                throw new Unprocessable("an operation is %s".formatted(operation.describe()));
            }
            document = apply(document, mapping);
        }
        if (document instanceof Value.Mapping changed) {
            return changed;
        }
        throw new Unprocessable("the object became %s".formatted(document.describe()));
    }

    private static Value apply(Value document, Value.Mapping operation) {
        var name = Trees.text(operation, "op");
        var path = pointer(Trees.text(operation, "path"));
        return switch (name) {
            case "add" -> put(document, path, valueOf(operation), Put.ADD);
            case "replace" -> put(document, path, valueOf(operation), Put.REPLACE);
            case "remove" -> remove(document, path);
            case "copy" -> put(document, path, from(document, operation), Put.ADD);
            case "move" -> {
                var value = from(document, operation);
                var without = remove(document, pointer(Trees.text(operation, "from")));
                yield put(without, path, value, Put.ADD);
            }
            case "test" -> {
                var found = find(document, path);
                var wanted = operation.fields().get("value");
                var isNothing = wanted == null || wanted instanceof Value.Nothing;
                if (found == null ? !isNothing : !found.equals(wanted)) {
                    throw new Unprocessable(
                            "testing value %s failed".formatted(Trees.text(operation, "path")));
                }
                yield document;
            }
            default -> throw new Unprocessable("the operation \"%s\" is unknown".formatted(name));
        };
    }

    private enum Put {
        ADD,
        REPLACE
    }

    private static Value valueOf(Value.Mapping operation) {
        var value = operation.fields().get("value");
        return value == null ? new Value.Nothing(Position.NOWHERE) : value;
    }

    private static Value from(Value document, Value.Mapping operation) {
        var path = Trees.text(operation, "from");
        var found = find(document, pointer(path));
        if (found == null) {
            throw missing(path);
        }
        return found;
    }

    private static List<String> pointer(String path) {
        if (path.isEmpty()) {
            return List.of();
        }
        if (!path.startsWith("/")) {
            throw new Unprocessable("the path \"%s\" does not begin with /".formatted(path));
        }
        var steps = new ArrayList<String>();
        for (var step : path.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }

    private static @Nullable Value find(Value document, List<String> path) {
        var at = document;
        for (var step : path) {
            var next =
                    switch (at) {
                        case Value.Mapping(_, var fields) -> fields.get(step);
                        case Value.Sequence(_, var elements) -> {
                            var index = index(step, elements.size() - 1);
                            yield index < 0 ? null : elements.get(index);
                        }
                        default -> null;
                    };
            if (next == null) {
                return null;
            }
            at = next;
        }
        return at;
    }

    private static Value put(Value document, List<String> path, Value value, Put put) {
        if (path.isEmpty()) {
            return value;
        }
        var step = path.getFirst();
        var rest = path.subList(1, path.size());
        return switch (document) {
            case Value.Mapping mapping -> {
                var old = mapping.fields().get(step);
                if (old == null && !rest.isEmpty()) {
                    throw missing(step);
                }
                var next = rest.isEmpty() || old == null ? value : put(old, rest, value, put);
                yield Trees.with(mapping, step, next);
            }
            case Value.Sequence(_, var elements) -> {
                var changed = new ArrayList<>(elements);
                if (!rest.isEmpty() || put == Put.REPLACE) {
                    var index = index(step, elements.size() - 1);
                    if (index < 0) {
                        throw missing(step);
                    }
                    changed.set(index, put(elements.get(index), rest, value, put));
                } else if (step.equals("-")) {
                    changed.add(value);
                } else {
                    var index = index(step, elements.size());
                    if (index < 0) {
                        throw missing(step);
                    }
                    changed.add(index, value);
                }
                yield new Value.Sequence(Position.NOWHERE, changed);
            }
            default -> throw missing(step);
        };
    }

    private static Value remove(Value document, List<String> path) {
        if (path.isEmpty()) {
            throw new Unprocessable("the whole object cannot be removed by a patch");
        }
        var step = path.getFirst();
        var rest = path.subList(1, path.size());
        return switch (document) {
            case Value.Mapping mapping -> {
                var old = mapping.fields().get(step);
                if (old == null) {
                    throw missing(step);
                }
                yield rest.isEmpty()
                        ? Trees.without(mapping, step)
                        : Trees.with(mapping, step, remove(old, rest));
            }
            case Value.Sequence(_, var elements) -> {
                var index = index(step, elements.size() - 1);
                if (index < 0) {
                    throw missing(step);
                }
                var changed = new ArrayList<>(elements);
                if (rest.isEmpty()) {
                    changed.remove(index);
                } else {
                    changed.set(index, remove(elements.get(index), rest));
                }
                yield new Value.Sequence(Position.NOWHERE, changed);
            }
            default -> throw missing(step);
        };
    }

    /// A place in a list, or -1 where there is none up to `most`.
    private static int index(String step, int most) {
        try {
            var index = Integer.parseInt(step);
            return index < 0 || index > most ? -1 : index;
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    private static Unprocessable missing(String step) {
        return new Unprocessable("the path has no \"%s\"".formatted(step));
    }
}
