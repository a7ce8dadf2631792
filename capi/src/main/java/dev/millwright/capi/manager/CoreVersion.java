package dev.millwright.capi.manager;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.controllers.log.Log;
import dev.millwright.controllers.process.StopSignal;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Finds out in which version the management cluster serves core Cluster API's kinds.
final class CoreVersion {

    /// The newest first: a core that serves both keeps objects in it.
    private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");

    /// How long a core that is being installed is waited for. Probes have not begun then.
    private static final Duration WAIT_MAX = Duration.ofSeconds(45);

    private static final Duration PAUSE = Duration.ofSeconds(3);

    private final KubeApi api;
    private final Log log;
    private final StopSignal stop;

    CoreVersion(KubeApi api, Log log, StopSignal stop) {
        this.api = api;
        this.log = log;
        this.stop = stop;
    }

    /// Null when a stop was asked for meanwhile.
    ///
    /// @throws IOException when nobody serves them
    @Nullable ClusterApi find() throws IOException, InterruptedException {
        var tries = WAIT_MAX.dividedBy(PAUSE);
        for (var count = 0; count < tries && !stop.isRequested(); count++) {
            for (var version : VERSIONS) {
                if (isServed(version)) {
                    log.info("found Cluster API", "version", version);
                    return ClusterApi.of(version);
                }
            }
            log.warn("nobody serves Cluster API's kinds yet", "group", ClusterApi.GROUP);
            Thread.sleep(PAUSE);
        }
        if (stop.isRequested()) {
            return null;
        }
        throw new IOException(
                "nobody serves clusters.%s; install Cluster API's core first: clusterctl init"
                        .formatted(ClusterApi.GROUP));
    }

    private boolean isServed(String version) {
        var type = ClusterApi.of(version).cluster().type();
        return switch (api.list(type, ListQuery.all(1))) {
            case ListAnswer.Page _, ListAnswer.Expired _ -> true;
            case ListAnswer.NotServed() -> false;
            case ListAnswer.Failed(var message) -> {
                log.warn("cannot ask for Cluster API's kinds", "error", message);
                yield false;
            }
        };
    }
}
