package dev.millwright.world.invariant.seen;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Value;

/// The controller of an object: who would make it again. The empty kind means that nobody would.
public record Owner(String kind, ObjectName name) {

    public static final Owner NONE = new Owner("", new ObjectName("", ""));

    static Owner of(String namespace, Value.Mapping object) {
        for (var reference : Paths.list(object, "metadata", "ownerReferences")) {
            if (Paths.flag(reference, "controller")) {
                return new Owner(
                        Paths.text(reference, "kind"),
                        new ObjectName(namespace, Paths.text(reference, "name")));
            }
        }
        return NONE;
    }

    @Override
    public String toString() {
        return kind.isEmpty() ? "nobody" : kind + " " + name;
    }
}
