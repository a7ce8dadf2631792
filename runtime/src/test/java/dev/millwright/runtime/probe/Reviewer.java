package dev.millwright.runtime.probe;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// An API server that knows nothing but who somebody is and what they may read.
final class Reviewer implements KubeApi {

    boolean isKnown = true;
    boolean isAllowed = true;
    @Nullable ApiAnswer instead;
    private final List<String> asked = new ArrayList<>();

    List<String> asked() {
        return asked;
    }

    @Override
    public ApiAnswer write(ApiWrite write) {
        if (!(write instanceof ApiWrite.Create(var type, _, var body))) {
            throw new IllegalArgumentException("a reviewer is asked only: " + write);
        }
        asked.add(JsonWriter.text(Objects.requireNonNull(body.fields().get("spec"))));
        if (instead != null) {
            return instead;
        }
        var user = Tree.of("username", "scraper").putTextList("groups", List.of("monitoring"));
        var status =
                type.kind().equals("TokenReview")
                        ? Tree.of("user", user).put("authenticated", isKnown)
                        : Tree.of().put("allowed", isAllowed);
        return new ApiAnswer.Done(Tree.of("status", status).mapping());
    }

    @Override
    public ApiAnswer read(ResourceType type, ObjectName name) {
        throw new UnsupportedOperationException("a reviewer holds no objects");
    }

    @Override
    public ListAnswer list(ResourceType type, ListQuery query) {
        throw new UnsupportedOperationException("a reviewer holds no objects");
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        throw new UnsupportedOperationException("a reviewer holds no objects");
    }
}
