package dev.millwright.core.forecast;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.DisruptionMethod;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// Something the operator would do, so long after now.
public sealed interface Action {

    Duration after();

    /// The node it is about.
    Purchase node();

    /// A node is bought. `pods` are those it is bought for; it is bought in place of others by a
    /// `method`, or for pods that wait when that is null.
    record Launch(
            Duration after, Purchase node, List<ObjectName> pods, @Nullable DisruptionMethod method)
            implements Action {
        public Launch {
            pods = List.copyOf(pods);
        }
    }

    /// A node is taken away by a `method`, or goes already when that is null. `evicted` are the
    /// pods that have to leave it, `replacements` the nodes that are bought first.
    record Remove(
            Duration after,
            Purchase node,
            @Nullable DisruptionMethod method,
            List<ObjectName> evicted,
            List<String> replacements)
            implements Action {
        public Remove {
            evicted = List.copyOf(evicted);
            replacements = List.copyOf(replacements);
        }
    }

    /// A sick node is started anew and stays.
    record Reboot(Duration after, Purchase node) implements Action {}
}
