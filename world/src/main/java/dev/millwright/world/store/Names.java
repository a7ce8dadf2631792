package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

/// The name of an object, from its metadata.
final class Names {

    private Names() {}

    static ObjectName of(Value.Mapping object) {
        return new ObjectName(Trees.meta(object, "namespace"), Trees.meta(object, "name"));
    }
}
