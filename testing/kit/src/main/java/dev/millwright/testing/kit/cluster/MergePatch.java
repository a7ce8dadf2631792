package dev.millwright.testing.kit.cluster;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;

/// RFC 7386: fields of the patch replace those of the object, null takes them away, mappings are
/// merged.
final class MergePatch {

    private MergePatch() {}

    static Value.Mapping apply(Value.Mapping object, Value.Mapping patch) {
        var fields = new LinkedHashMap<>(object.fields());
        patch.fields()
                .forEach(
                        (name, value) -> {
                            var merged = merged(fields.get(name), value);
                            if (merged == null) {
                                fields.remove(name);
                            } else {
                                fields.put(name, merged);
                            }
                        });
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    private static @Nullable Value merged(@Nullable Value before, Value patch) {
        return switch (patch) {
            case Value.Nothing(_) -> null;
            case Value.Mapping mapping ->
                    apply(
                            before instanceof Value.Mapping was
                                    ? was
                                    : new Value.Mapping(Position.NOWHERE, new LinkedHashMap<>()),
                            mapping);
            case Value other -> other;
        };
    }
}
