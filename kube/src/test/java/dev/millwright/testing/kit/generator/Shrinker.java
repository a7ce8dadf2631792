package dev.millwright.testing.kit.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Makes a failing document small: whole objects go first, in ever smaller groups, then single
/// fields, until nothing can go without the failure going too, or the steps are used up.
public final class Shrinker {

    /// Documents tried at most, however large the first one is.
    public static final int STEPS_MAX = 3_000;

    /// Fields that documents cannot do without; trying to remove them is a waste of steps.
    private static final List<String> KEPT =
            List.of("apiVersion", "kind", "metadata", "name", "offerings");

    /// Kinds in the order they are taken away.
    private static final List<String> KINDS =
            List.of(
                    "Pod",
                    "Node",
                    "NodeClaim",
                    "NodePool",
                    "DaemonSet",
                    "PodDisruptionBudget",
                    "PersistentVolumeClaim",
                    "PersistentVolume",
                    "StorageClass",
                    "CSINode",
                    "Namespace");

    private final Predicate<Document> isFailing;
    private int steps;

    private Shrinker(Predicate<Document> isFailing) {
        this.isFailing = isFailing;
    }

    /// A small document that still fails. A document that cannot be judged (the predicate throws)
    /// does not count.
    public static Document shrink(Document failing, Predicate<Document> isFailing) {
        var shrinker = new Shrinker(isFailing);
        var smallest = failing;
        while (true) {
            var smaller = shrinker.pass(smallest);
            if (shrinker.isSpent() || smaller.equals(smallest)) {
                return smaller;
            }
            smallest = smaller;
        }
    }

    private boolean isSpent() {
        return steps >= STEPS_MAX;
    }

    private boolean fails(Document document) {
        if (isSpent()) {
            return false;
        }
        steps++;
        try {
            return isFailing.test(document);
        } catch (RuntimeException unreadable) {
            return false;
        }
    }

    private Document pass(Document document) {
        var smaller = document;
        for (var kind : KINDS) {
            smaller = withoutItems(smaller, kind);
        }
        smaller = withoutTypes(smaller);
        return withoutFields(smaller);
    }

    private Document withoutItems(Document document, String kind) {
        var current = document;
        var size = Math.max(1, (int) current.count(kind));
        while (size >= 1) {
            var start = 0;
            while (start < current.count(kind)) {
                var fewer = removed(current.items(), kind, start, size);
                var candidate = current.with("items", fewer);
                if (fails(candidate)) {
                    current = candidate;
                } else {
                    start += size;
                }
            }
            size /= 2;
        }
        return current;
    }

    private static List<Object> removed(List<Object> items, String kind, int start, int size) {
        var kept = new ArrayList<Object>();
        var index = 0;
        for (var item : items) {
            var isOfKind = Tree.text(item, "kind").equals(kind);
            if (!isOfKind || index < start || index >= start + size) {
                kept.add(item);
            }
            if (isOfKind) {
                index++;
            }
        }
        return kept;
    }

    private Document withoutTypes(Document document) {
        var current = document;
        for (var index = current.instanceTypes().size() - 1; index >= 0; index--) {
            var fewer = current.instanceTypes();
            fewer.remove(index);
            var candidate = current.with("instanceTypes", fewer);
            // Without any type a document means another catalogue.
            if (!fewer.isEmpty() && fails(candidate)) {
                current = candidate;
            }
        }
        return current;
    }

    private Document withoutFields(Document document) {
        var current = document;
        for (var field : List.of("items", "instanceTypes")) {
            for (var index = Tree.list(current.root(), field).size() - 1; index >= 0; index--) {
                current = withoutFields(current, List.of(field, index));
            }
        }
        return current;
    }

    /// Tries each child of the value at the path: it goes as a whole, or its own children are
    /// tried. The last child comes first, so that indexes of those before it stay true.
    private Document withoutFields(Document document, List<Object> path) {
        var current = document;
        for (var step : steps(at(current.root(), path)).reversed()) {
            var inner = extended(path, step);
            var candidate = current.without(inner);
            if (!KEPT.contains(step) && fails(candidate)) {
                current = candidate;
            } else {
                current = withoutFields(current, inner);
            }
        }
        return current;
    }

    private static List<Object> steps(Object value) {
        var steps = new ArrayList<Object>();
        switch (value) {
            case Map<?, ?> map -> map.keySet().forEach(steps::add);
            case List<?> list -> {
                for (var index = 0; index < list.size(); index++) {
                    steps.add(index);
                }
            }
            default -> {}
        }
        return steps;
    }

    private static Object at(Object value, List<Object> path) {
        var found = value;
        for (var step : path) {
            found =
                    switch (found) {
                        case Map<?, ?> map -> {
                            var inner = map.get(step);
                            yield inner == null ? "" : inner;
                        }
                        case List<?> list -> step instanceof Integer index ? list.get(index) : "";
                        default -> "";
                    };
        }
        return found;
    }

    private static List<Object> extended(List<Object> path, Object step) {
        var inner = new ArrayList<>(path);
        inner.add(step);
        return inner;
    }
}
