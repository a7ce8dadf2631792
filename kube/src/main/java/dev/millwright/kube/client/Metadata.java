package dev.millwright.kube.client;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Value;

/// Which object this is, and which version of it. What is not there is empty.
public record Metadata(ObjectName name, String uid, String resourceVersion) {

    public static Metadata of(Value.Mapping object) {
        return new Metadata(
                new ObjectName(text(object, "namespace"), text(object, "name")),
                text(object, "uid"),
                text(object, "resourceVersion"));
    }

    /// A text in the `metadata` of an object or a list.
    public static String text(Value.Mapping object, String field) {
        return object.fields().get("metadata") instanceof Value.Mapping metadata
                        && metadata.fields().get(field) instanceof Value.Text(_, var text)
                ? text
                : "";
    }
}
