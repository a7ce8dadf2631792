package dev.millwright.addons.port;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What Helm has stored on workload clusters. One look at a cluster serves all of its releases, and
/// no call waits for a cluster to answer.
public interface Storage {

    /// The newest look at the Cluster, at most a minute old. While there is none, a look is begun
    /// and the proxy is rung when it is over.
    ///
    /// @param proxy the release proxy that asks
    Look look(ObjectName cluster, ObjectName proxy);

    /// Something was changed there: the next look is a new one.
    void changed(ObjectName cluster);

    sealed interface Look {

        /// The latest revision of every release.
        record Seen(SequencedMap<ReleaseId, StoredRelease> releases) implements Look {
            public Seen {
                releases = Collections.unmodifiableSequencedMap(new TreeMap<>(releases));
            }

            public @Nullable StoredRelease find(ReleaseId id) {
                return releases.get(id);
            }
        }

        record UnderWay() implements Look {}

        record NoKubeconfig(String message) implements Look {}

        record Failed(String message) implements Look {}
    }
}
