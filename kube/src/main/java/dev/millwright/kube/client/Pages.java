package dev.millwright.kube.client;

import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.document.Value;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A list read to its end, for whoever asks once and keeps nothing.
public final class Pages {

    private Pages() {}

    /// All objects that the query selects; none where nobody serves the resource.
    ///
    /// @throws IOException when the cluster says no
    public static List<Value.Mapping> all(KubeApi api, ResourceType type, ListQuery first)
            throws IOException {
        var objects = new ArrayList<Value.Mapping>();
        var query = first;
        while (true) {
            switch (api.list(type, query)) {
                case ListAnswer.Page(var items, _, var token) -> {
                    objects.addAll(items);
                    if (token.isEmpty()) {
                        return objects;
                    }
                    query = query.next(token);
                }
                case ListAnswer.NotServed() -> {
                    return objects;
                }
                case ListAnswer.Expired(var message) -> throw unlisted(type, message);
                case ListAnswer.Failed(var message) -> throw unlisted(type, message);
            }
        }
    }

    /// What to throw when a resource cannot be listed.
    public static IOException unlisted(ResourceType type, String message) {
        return new IOException("%s cannot be listed: %s".formatted(type, message));
    }
}
