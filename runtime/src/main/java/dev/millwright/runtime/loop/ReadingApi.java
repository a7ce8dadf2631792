package dev.millwright.runtime.loop;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;

/// A way to the API server on which nothing can be written, whatever asks for it.
public record ReadingApi(KubeApi api) implements KubeApi {

    private static final int FORBIDDEN = 403;

    @Override
    public ApiAnswer read(ResourceType type, ObjectName name) {
        return api.read(type, name);
    }

    @Override
    public ApiAnswer write(ApiWrite write) {
        return new ApiAnswer.Refused(FORBIDDEN, "Forbidden", "a shadow writes nothing");
    }

    @Override
    public ListAnswer list(ResourceType type, ListQuery query) {
        return api.list(type, query);
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        return api.watch(type, query, sink);
    }
}
