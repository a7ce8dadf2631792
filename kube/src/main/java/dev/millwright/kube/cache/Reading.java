package dev.millwright.kube.cache;

import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.ObjectReader;

/// How a view makes values of the objects it is told.
public interface Reading {

    <T extends KubeObject> T read(Kind<T> kind, Value.Mapping object);

    /// Every object each time it is told.
    static Reading by(ObjectReader reader) {
        return new Reading() {
            @Override
            public <T extends KubeObject> T read(Kind<T> kind, Value.Mapping object) {
                return kind.read(reader, object);
            }
        };
    }
}
