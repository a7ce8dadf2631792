package dev.millwright.capi.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Field;

import org.jspecify.annotations.Nullable;

/// Another object's name as a user writes it, where the namespace may be left out.
public record Reference(String name, String namespace) {

    /// Null where the field is absent or has no name.
    public static @Nullable Reference of(Field field) {
        var name = field.at("name").text("");
        return name.isEmpty() ? null : new Reference(name, field.at("namespace").text(""));
    }

    /// In the namespace that was named, else in this one.
    public ObjectName in(String own) {
        return new ObjectName(namespace.isEmpty() ? own : namespace, name);
    }
}
