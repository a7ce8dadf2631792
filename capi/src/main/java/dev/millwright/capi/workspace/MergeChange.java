package dev.millwright.capi.workspace;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

/// The merge patch that turns one value into another: what is gone is named with a null.
final class MergeChange {

    private MergeChange() {}

    /// Null when nothing is to be changed.
    static @Nullable Value of(@Nullable Value before, Value after) {
        if (!(after instanceof Value.Mapping(_, var wanted))) {
            return after.equals(before) ? null : after;
        }
        var tree = Tree.of();
        var had =
                before instanceof Value.Mapping(_, var fields)
                        ? fields
                        : Tree.of().mapping().fields();
        for (var name : had.keySet()) {
            if (!wanted.containsKey(name)) {
                tree.putNothing(name);
            }
        }
        wanted.forEach(
                (name, value) -> {
                    var change = of(had.get(name), value);
                    if (change != null) {
                        tree.put(name, change);
                    }
                });
        return tree.isEmpty() && before instanceof Value.Mapping ? null : tree.mapping();
    }
}
