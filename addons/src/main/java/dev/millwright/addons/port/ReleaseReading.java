package dev.millwright.addons.port;

import dev.millwright.addons.object.ChartSource;
import dev.millwright.core.cluster.ObjectName;

/// What is stored and what is offered, read while the caller waits: for whoever asks once and ends.
/// Nothing is changed.
public interface ReleaseReading {

    /// The latest revision of every release of the Cluster.
    Storage.Look releases(ObjectName cluster);

    Answer contents(ObjectName cluster, ReleaseId id, long revision);

    Charts.Newest newest(ChartSource source);

    sealed interface Answer {

        record Found(HelmRuns.Contents contents) implements Answer {}

        record Failed(Trouble trouble) implements Answer {}
    }
}
