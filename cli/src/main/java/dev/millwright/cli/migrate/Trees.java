package dev.millwright.cli.migrate;

import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Looks into objects of the API server.
public final class Trees {

    private Trees() {}

    public static @Nullable Value find(Value.Mapping tree, String... path) {
        Value at = tree;
        for (var step : path) {
            at = at instanceof Value.Mapping(_, var fields) ? fields.get(step) : null;
            if (at == null) {
                return null;
            }
        }
        return at;
    }

    /// Empty where there is none.
    public static String text(Value.Mapping tree, String... path) {
        return find(tree, path) instanceof Value.Text(_, var text) ? text : "";
    }

    public static List<Value> list(Value.Mapping tree, String... path) {
        return find(tree, path) instanceof Value.Sequence(_, var elements) ? elements : List.of();
    }

    public static long number(Value.Mapping tree, long fallback, String... path) {
        return find(tree, path) instanceof Value.Numeral(_, var digits)
                ? Long.parseLong(digits)
                : fallback;
    }

    public static String name(Value.Mapping object) {
        return text(object, "metadata", "name");
    }
}
