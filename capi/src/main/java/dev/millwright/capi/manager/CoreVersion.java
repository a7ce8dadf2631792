package dev.millwright.capi.manager;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.runtime.process.ServedVersion;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/// In which version the management cluster serves core Cluster API's kinds.
final class CoreVersion {

    /// The newest first: a core that serves both keeps objects in it.
    private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");

    private static final String WAY_OUT = "install Cluster API's core first: clusterctl init";

    private CoreVersion() {}

    /// Null when a stop was asked for meanwhile.
    ///
    /// @param namespace where to ask, empty for all
    /// @throws IOException when nobody serves them
    static @Nullable ClusterApi find(ServedVersion served, String namespace)
            throws IOException, InterruptedException {
        var types = VERSIONS.stream().map(each -> ClusterApi.of(each).cluster().type()).toList();
        var found = served.find(types, namespace, WAY_OUT);
        return found == null ? null : ClusterApi.of(found.version());
    }
}
