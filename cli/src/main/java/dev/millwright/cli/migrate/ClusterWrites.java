package dev.millwright.cli.migrate;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.function.Function;

/// Writes to a cluster that either happen or are an exception with words for a person.
final class ClusterWrites {

    /// Times a change is made again from a newer version of the object.
    private static final int CONFLICTS_MAX = 5;

    private final KubeApi api;

    ClusterWrites(KubeApi api) {
        this.api = api;
    }

    /// Null when there is none.
    Value.@Nullable Mapping find(ResourceType type, String name) throws IOException {
        return switch (api.read(type, new ObjectName("", name))) {
            case ApiAnswer.Done(var object) -> object;
            case ApiAnswer answer when answer.isNotFound() -> null;
            case ApiAnswer answer -> throw failed("read", type, name, answer);
        };
    }

    /// The object as it is now; null when one of that name was there before.
    Value.@Nullable Mapping create(ResourceType type, Value.Mapping body) throws IOException {
        return switch (api.write(new ApiWrite.Create(type, "", body))) {
            case ApiAnswer.Done(var object) -> object;
            case ApiAnswer answer when answer.isConflict() -> null;
            case ApiAnswer answer -> throw failed("create", type, nameOf(body), answer);
        };
    }

    void patch(ResourceType type, String name, ApiWrite.Subresource part, Value.Mapping body)
            throws IOException {
        var answer = api.write(merge(type, name, part, body));
        if (!answer.isDone()) {
            throw failed("patch", type, name, answer);
        }
    }

    /// A pod that went meanwhile needs nothing more.
    void patchPod(String namespace, String name, Value.Mapping body) throws IOException {
        var answer =
                api.write(
                        new ApiWrite.Patch(
                                ResourceType.POD,
                                new ObjectName(namespace, name),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                body));
        if (!answer.isDone() && !answer.isNotFound()) {
            throw failed("patch", ResourceType.POD, namespace + "/" + name, answer);
        }
    }

    /// Changes an object by what its newest version asks for; `null` asks for nothing. Returns
    /// whether anything was written.
    boolean change(
            ResourceType type,
            Value.Mapping found,
            Function<Value.Mapping, Value.@Nullable Mapping> patch)
            throws IOException {
        var name = nameOf(found);
        var object = found;
        for (var attempt = 0; attempt < CONFLICTS_MAX; attempt++) {
            var body = patch.apply(object);
            if (body == null) {
                return false;
            }
            var answer = api.write(merge(type, name, ApiWrite.Subresource.NONE, body));
            if (answer.isDone()) {
                return true;
            }
            if (!answer.isConflict()) {
                throw failed("patch", type, name, answer);
            }
            var newer = find(type, name);
            if (newer == null) {
                return false;
            }
            object = newer;
        }
        throw new IOException(
                "%s %s is changed by somebody else all the time; stop who does, and run it again"
                        .formatted(type.kind(), name));
    }

    /// Takes the object away without anybody acting on its end: its finalizers go first.
    void forget(ResourceType type, Value.Mapping object) throws IOException {
        var name = nameOf(object);
        var bare = Tree.of("metadata", Tree.of().putNothing("finalizers")).mapping();
        var patched = api.write(merge(type, name, ApiWrite.Subresource.NONE, bare));
        if (!patched.isDone() && !patched.isNotFound()) {
            throw failed("patch", type, name, patched);
        }
        var uid = Trees.text(object, "metadata", "uid");
        var deleted = api.write(new ApiWrite.Delete(type, new ObjectName("", name), uid, null));
        if (!deleted.isDone() && !deleted.isNotFound()) {
            throw failed("delete", type, name, deleted);
        }
    }

    private static ApiWrite merge(
            ResourceType type, String name, ApiWrite.Subresource part, Value body) {
        return new ApiWrite.Patch(
                type, new ObjectName("", name), ApiWrite.PatchKind.MERGE, part, body);
    }

    private static String nameOf(Value.Mapping object) {
        return Trees.text(object, "metadata", "name");
    }

    private static IOException failed(
            String verb, ResourceType type, String name, ApiAnswer answer) {
        return new IOException(
                "%s %s: cannot %s it: %s; it takes the right to %s %s"
                        .formatted(type.kind(), name, verb, answer.explain(), verb, type.plural()));
    }
}
