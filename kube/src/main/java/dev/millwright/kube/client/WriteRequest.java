package dev.millwright.kube.client;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiCall.Verb;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

/// Turns writes into what goes over the wire.
final class WriteRequest {

    private static final String JSON = "application/json";

    private WriteRequest() {}

    static ApiCall call(ApiWrite write) {
        return switch (write) {
            case ApiWrite.Create(var type, _, _) -> new ApiCall(Verb.CREATE, type, "");
            case ApiWrite.Patch(var type, _, _, var part, _) ->
                    new ApiCall(Verb.PATCH, type, part.path());
            case ApiWrite.Delete(var type, _, _, _) -> new ApiCall(Verb.DELETE, type, "");
            case ApiWrite.Evict evict -> new ApiCall(Verb.CREATE, evict.type(), "eviction");
        };
    }

    static Wire.Request of(ApiWrite write) {
        var method = call(write).verb().method();
        return switch (write) {
            case ApiWrite.Create(var type, var namespace, var body) ->
                    new Wire.Request(
                            method, ResourcePath.of(type, namespace), JSON, JsonWriter.text(body));
            case ApiWrite.Patch(var type, var name, var kind, var part, var body) ->
                    new Wire.Request(
                            method,
                            ResourcePath.of(type, name, part.path()),
                            kind.contentType(),
                            JsonWriter.text(body));
            case ApiWrite.Delete(var type, var name, var uid, var graceSeconds) ->
                    new Wire.Request(
                            method,
                            ResourcePath.of(type, name, ""),
                            JSON,
                            JsonWriter.text(deleteOptions(uid, graceSeconds).mapping()));
            case ApiWrite.Evict(var name, var uid) ->
                    new Wire.Request(
                            method,
                            ResourcePath.of(ResourceType.POD, name, "eviction"),
                            JSON,
                            JsonWriter.text(eviction(name, uid).mapping()));
        };
    }

    private static Tree deleteOptions(@Nullable String uid, @Nullable Long graceSeconds) {
        var options = Tree.of("apiVersion", "v1").put("kind", "DeleteOptions");
        if (uid != null) {
            options.put("preconditions", Tree.of("uid", uid));
        }
        if (graceSeconds != null) {
            options.put("gracePeriodSeconds", graceSeconds);
        }
        return options;
    }

    private static Tree eviction(ObjectName name, String uid) {
        return Tree.of("apiVersion", "policy/v1")
                .put("kind", "Eviction")
                .put("metadata", Tree.of("name", name.name()).put("namespace", name.namespace()))
                .put("deleteOptions", deleteOptions(uid.isEmpty() ? null : uid, null));
    }
}
