package dev.millwright.capi.workspace;

import dev.millwright.core.cluster.ObjectName;

import java.time.Duration;

/// How often a Workspace is looked at.
///
/// @param poll between two plans when all is well, a tenth more or less by the name
public record WorkspaceSettings(Duration poll, Duration backoffMin, Duration backoffMax) {

    public static final WorkspaceSettings DEFAULT =
            new WorkspaceSettings(
                    Duration.ofMinutes(10), Duration.ofSeconds(2), Duration.ofMinutes(1));

    private static final int DOUBLINGS_MAX = 20;

    /// Spread, so that Workspaces made together are not planned together for ever.
    Duration pollOf(ObjectName name) {
        var tenth = poll.toMillis() / 10;
        var offset = tenth == 0 ? 0 : Math.floorMod(name.hashCode() * 31L, 2 * tenth + 1) - tenth;
        return poll.plusMillis(offset);
    }

    Duration backoff(int failures) {
        var wait =
                backoffMin.multipliedBy(1L << Math.min(Math.max(failures, 1) - 1, DOUBLINGS_MAX));
        return wait.compareTo(backoffMax) > 0 ? backoffMax : wait;
    }
}
