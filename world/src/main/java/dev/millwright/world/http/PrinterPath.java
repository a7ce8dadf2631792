package dev.millwright.world.http;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.regex.Pattern;

/// The paths that printer columns of definitions use: fields with dots escaped, and one element of
/// a list by a field of it, `.status.conditions[?(@.type=="Ready")].status`.
final class PrinterPath {

    private static final Pattern STEP =
            Pattern.compile("\\.((?:\\\\.|[^.\\[\\\\])+)|\\[\\?\\(@\\.(\\w+)==\"([^\"]*)\"\\)\\]");

    private PrinterPath() {}

    /// Null where there is nothing at the path. Of all elements of a list, `[*]`, the texts are
    /// joined.
    static @Nullable Value find(Value.Mapping object, String path) {
        var each = path.indexOf("[*]");
        if (each < 0) {
            return single(object, path);
        }
        if (!(single(object, path.substring(0, each)) instanceof Value.Sequence(_, var elements))) {
            return null;
        }
        var texts = new ArrayList<String>();
        for (var element : elements) {
            if (element instanceof Value.Mapping mapping
                    && find(mapping, path.substring(each + 3)) instanceof Value.Text(_, var text)) {
                texts.add(text);
            }
        }
        return Tree.text(String.join(",", texts));
    }

    private static @Nullable Value single(Value.Mapping object, String path) {
        Value at = object;
        var steps = STEP.matcher(path);
        while (steps.find()) {
            var next =
                    steps.group(1) == null
                            ? element(at, steps.group(2), steps.group(3))
                            : field(at, steps.group(1).replace("\\", ""));
            if (next == null) {
                return null;
            }
            at = next;
        }
        return at;
    }

    private static @Nullable Value field(Value at, String name) {
        return at instanceof Value.Mapping(_, var fields) ? fields.get(name) : null;
    }

    private static @Nullable Value element(Value at, String field, String wanted) {
        if (at instanceof Value.Sequence(_, var elements)) {
            for (var each : elements) {
                if (each instanceof Value.Mapping mapping && wanted.equals(mapping.text(field))) {
                    return mapping;
                }
            }
        }
        return null;
    }
}
