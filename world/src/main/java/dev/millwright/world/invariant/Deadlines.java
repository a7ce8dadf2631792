package dev.millwright.world.invariant;

import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.world.invariant.seen.SeenCluster;
import dev.millwright.world.invariant.seen.SeenPod;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/// By when nodes must be empty. Then budgets and annotations guard nobody any more.
final class Deadlines {

    private Deadlines() {}

    /// Whether the pod no longer had the time to end by itself before its node's deadline.
    static boolean isDue(Court court, SeenPod pod, Instant now) {
        var deadline = of(court.cluster(), pod.nodeName());
        return deadline != null
                && now.plusSeconds(pod.graceSeconds())
                        .plus(court.slack().clockError())
                        .isAfter(deadline);
    }

    static @Nullable Instant of(SeenCluster cluster, String nodeName) {
        var node = cluster.node(nodeName);
        var claim = node == null ? null : cluster.claimOf(node.providerId());
        var text =
                claim == null
                        ? null
                        : claim.meta().annotation(AnnotationKeys.TERMINATION_TIMESTAMP);
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException notATime) {
            return null;
        }
    }
}
