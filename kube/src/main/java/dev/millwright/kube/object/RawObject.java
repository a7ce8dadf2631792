package dev.millwright.kube.object;

import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;

import java.util.LinkedHashMap;

/// An object as the API server holds it, of a kind whose own module knows how to read its fields.
public record RawObject(Meta meta, Value.Mapping object) implements KubeObject {

    /// Without the server's own record of who wrote which field: nobody here reads it, and it is
    /// often larger than all the rest.
    public static RawObject of(Value.Mapping object) {
        var kept = withoutManagedFields(object);
        return new RawObject(Meta.of(Field.root("", kept, new Faults())), kept);
    }

    private static Value.Mapping withoutManagedFields(Value.Mapping object) {
        if (!(object.fields().get("metadata") instanceof Value.Mapping metadata)
                || !metadata.fields().containsKey("managedFields")) {
            return object;
        }
        var fewer = new LinkedHashMap<>(metadata.fields());
        fewer.remove("managedFields");
        var fields = new LinkedHashMap<>(object.fields());
        fields.put("metadata", new Value.Mapping(metadata.position(), fewer));
        return new Value.Mapping(object.position(), fields);
    }

    /// The whole object, for a reader that leaves out what has the wrong shape.
    public Field root() {
        return root(new Faults());
    }

    /// The whole object, for a reader that tells what has the wrong shape.
    public Field root(Faults faults) {
        var kind = object.text("kind");
        return Field.root((kind == null ? "object" : kind) + " " + name(), object, faults);
    }

    public Field spec() {
        return root().at("spec");
    }

    public Field status() {
        return root().at("status");
    }

    public ConditionList conditions() {
        return ConditionList.of(status());
    }
}
