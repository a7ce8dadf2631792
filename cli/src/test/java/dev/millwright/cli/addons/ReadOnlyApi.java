package dev.millwright.cli.addons;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;

import java.util.HashMap;
import java.util.Map;

/// A management cluster with Secrets, on which every write is a failure of the test.
final class ReadOnlyApi implements KubeApi {

    private final Map<ObjectName, Value.Mapping> secrets = new HashMap<>();

    void secret(ObjectName name, Value.Mapping object) {
        secrets.put(name, object);
    }

    @Override
    public ApiAnswer read(ResourceType type, ObjectName name) {
        var found = type.equals(ResourceType.SECRET) ? secrets.get(name) : null;
        return found == null
                ? new ApiAnswer.Refused(404, "NotFound", name + " is not there")
                : new ApiAnswer.Done(found);
    }

    @Override
    public ApiAnswer write(ApiWrite write) {
        throw new AssertionError("a view wrote " + write);
    }

    @Override
    public ListAnswer list(ResourceType type, ListQuery query) {
        return new ListAnswer.NotServed();
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        throw new AssertionError("a view watches " + type);
    }
}
