package dev.millwright.world.kind;

import dev.millwright.kube.client.ResourceType;

import java.util.List;

/// How the server treats the objects of one type.
public record Kind(
        ResourceType type,
        boolean isCustom,
        StatusPart status,
        boolean hasGeneration,
        boolean tellsDeleted,
        List<String> shortNames,
        List<Column> columns) {

    /// What a list of objects shows, as a definition states it.
    public record Column(String name, String type, String path, int priority) {}

    /// Where an object's status may be written.
    public enum StatusPart {
        /// There is no such subresource: what an object calls its status is like any other field.
        NONE,
        /// A write of the object leaves it alone, a write of the subresource changes it and the
        /// metadata. A new object begins without.
        APART,
        /// As [#APART], but a new object brings its own: a kubelet registers its node with it.
        BROUGHT,
        /// A write of the subresource changes it and nothing else.
        ALONE
    }

    public Kind {
        shortNames = List.copyOf(shortNames);
        columns = List.copyOf(columns);
    }

    public boolean hasStatus() {
        return status != StatusPart.NONE;
    }
}
