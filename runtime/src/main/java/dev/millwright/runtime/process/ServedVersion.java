package dev.millwright.runtime.process;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.log.Log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Finds out in which version the cluster serves a kind that somebody else installs.
public final class ServedVersion {

    /// How long one that is being installed is waited for. Probes have not begun then.
    private static final Duration WAIT_MAX = Duration.ofSeconds(45);

    private static final Duration PAUSE = Duration.ofSeconds(3);

    private final KubeApi api;
    private final Log log;
    private final StopSignal stop;

    public ServedVersion(KubeApi api, Log log, StopSignal stop) {
        this.api = api;
        this.log = log;
        this.stop = stop;
    }

    /// Null when a stop was asked for meanwhile.
    ///
    /// @param types of the kind, one for each version, in the order of preference
    /// @param namespace where to ask, empty for all: a role may be of one namespace alone
    /// @param wayOut what a person does when nobody serves it
    /// @throws IOException when nobody serves it
    public @Nullable ResourceType find(List<ResourceType> types, String namespace, String wayOut)
            throws IOException, InterruptedException {
        var wanted = types.getFirst();
        var tries = WAIT_MAX.dividedBy(PAUSE);
        for (var count = 0; count < tries && !stop.isRequested(); count++) {
            for (var type : types) {
                if (isServed(type, namespace)) {
                    log.info(
                            "found the version that is served",
                            "group",
                            type.group(),
                            "version",
                            type.version());
                    return type;
                }
            }
            log.warn("nobody serves a kind yet", "kind", wanted.kind(), "group", wanted.group());
            Thread.sleep(PAUSE);
        }
        if (stop.isRequested()) {
            return null;
        }
        throw new IOException(
                "nobody serves %s.%s; %s".formatted(wanted.plural(), wanted.group(), wayOut));
    }

    private boolean isServed(ResourceType type, String namespace) {
        return switch (api.list(type, new ListQuery(namespace, "", "", 1, ""))) {
            case ListAnswer.Page _, ListAnswer.Expired _ -> true;
            case ListAnswer.NotServed() -> false;
            case ListAnswer.Failed(var message) -> {
                log.warn("cannot ask for a kind", "kind", type.kind(), "error", message);
                yield false;
            }
        };
    }
}
