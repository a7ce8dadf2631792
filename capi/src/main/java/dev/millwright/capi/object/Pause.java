package dev.millwright.capi.object;

import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// Whether an object is to be left alone, deletion included: `clusterctl move` depends on it.
public final class Pause {

    private Pause() {}

    /// @param cluster the Cluster it belongs to, null when there is none
    public static boolean holds(RawObject object, @Nullable RawObject cluster) {
        return object.meta().annotation(ClusterApi.PAUSED) != null
                || (cluster != null && cluster.spec().at("paused").isTrue());
    }
}
