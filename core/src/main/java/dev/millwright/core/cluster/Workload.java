package dev.millwright.core.cluster;

import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

/// An object whose selector tells which pods belong together: the base of default spread
/// constraints.
public record Workload(Kind kind, ObjectName name, @Nullable Selector selector) {

    public enum Kind {
        SERVICE,
        REPLICATION_CONTROLLER,
        REPLICA_SET,
        STATEFUL_SET
    }
}
