package dev.millwright.world.scenario;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;

/// Something a user does.
public sealed interface Deed {

    record Create(ResourceType type, String namespace, Value.Mapping body) implements Deed {}

    /// A merge patch.
    record Change(ResourceType type, ObjectName name, Value.Mapping patch) implements Deed {}

    record Delete(ResourceType type, ObjectName name) implements Deed {}

    /// Deletes the node that stands at this place when all are sorted by name, as somebody does who
    /// wants it replaced. Nothing, where there are none.
    record DeleteNode(int place) implements Deed {}

    /// The cloud has a new image, which makes machines of older ones drift.
    record Publish(String image) implements Deed {}
}
