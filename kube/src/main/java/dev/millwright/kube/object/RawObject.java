package dev.millwright.kube.object;

import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;

/// An object as the API server holds it, of a kind whose own module knows how to read its fields.
public record RawObject(Meta meta, Value.Mapping object) implements KubeObject {

    public static RawObject of(Value.Mapping object) {
        return new RawObject(Meta.of(Field.root("", object, new Faults())), object);
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
