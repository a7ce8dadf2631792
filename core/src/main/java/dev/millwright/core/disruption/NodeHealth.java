package dev.millwright.core.disruption;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// How a node says it is, and what was tried about it.
///
/// `createdAt` is the node's: no sign is older. `rebootedAt` is when the last reboot ended;
/// `reboots` are those that were begun of late.
public record NodeHealth(
        List<Sign> signs,
        Instant createdAt,
        boolean isRebooting,
        @Nullable Instant rebootedAt,
        int reboots) {

    /// Of a machine without a node.
    public static final NodeHealth UNKNOWN =
            new NodeHealth(List.of(), Instant.EPOCH, false, null, 0);

    /// A condition of the node.
    public record Sign(String type, String status, String reason, Instant changedAt) {}

    public NodeHealth {
        signs = List.copyOf(signs);
    }
}
