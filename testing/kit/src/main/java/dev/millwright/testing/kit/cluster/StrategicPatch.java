package dev.millwright.testing.kit.cluster;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// As much of strategic merge patches as is used here: an order to take values out of a list of
/// plain values. All else is merged as by [MergePatch].
final class StrategicPatch {

    private static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList/";

    private StrategicPatch() {}

    static Value.Mapping apply(Value.Mapping object, Value.Mapping patch) {
        var fields = new LinkedHashMap<>(object.fields());
        var plain = new LinkedHashMap<String, Value>();
        patch.fields()
                .forEach(
                        (name, value) -> {
                            if (name.startsWith(DELETE_FROM_LIST)) {
                                take(fields, name.substring(DELETE_FROM_LIST.length()), value);
                            } else if (value instanceof Value.Mapping inner
                                    && fields.get(name) instanceof Value.Mapping before) {
                                fields.put(name, apply(before, inner));
                            } else {
                                plain.put(name, value);
                            }
                        });
        return MergePatch.apply(
                new Value.Mapping(Position.NOWHERE, fields),
                new Value.Mapping(Position.NOWHERE, plain));
    }

    private static void take(Map<String, Value> fields, String name, Value values) {
        var gone = values instanceof Value.Sequence(_, var elements) ? elements : List.<Value>of();
        if (fields.get(name) instanceof Value.Sequence(_, var before)) {
            var left = before.stream().filter(each -> !gone.contains(each)).toList();
            fields.put(name, new Value.Sequence(Position.NOWHERE, left));
        }
    }
}
