package dev.millwright.world.http;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Turns requests into questions to the store. For the world's thread.
final class Answering {

    private static final String BY = "kubectl";

    private final ApiStore store;
    private final Tables tables;

    Answering(ApiStore store, Tables tables) {
        this.store = store;
        this.tables = tables;
    }

    Reply answer(Request request, Target target) {
        if (!request.parameter("dryRun").isEmpty()) {
            return Reply.failure(
                    400, "BadRequest", "this server is a simulation and knows no dry run");
        }
        if (request.contentType().equals("application/vnd.kubernetes.protobuf")) {
            return Reply.failure(
                    415,
                    "UnsupportedMediaType",
                    "this server reads JSON and YAML, not protobuf; apply a file instead");
        }
        return switch (request.method()) {
            case "GET" -> target.name().isEmpty() ? list(request, target) : read(request, target);
            case "POST" -> create(request, target);
            case "PUT" -> replace(request, target);
            case "PATCH" -> patch(request, target);
            case "DELETE" -> delete(request, target);
            default -> notAllowed();
        };
    }

    private static Reply notAllowed() {
        return Reply.failure(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource");
    }

    private Reply read(Request request, Target target) {
        var answer = store.read(target.type(), target.objectName());
        return switch (target.part()) {
            case "", "status" ->
                    answer instanceof ApiAnswer.Done(var object) && request.wantsTable()
                            ? new Reply(200, tables.table(target.kind(), List.of(object)))
                            : Reply.of(answer, 200);
            case "scale" -> scale(target, answer);
            default -> Reply.notFound();
        };
    }

    private Reply list(Request request, Target target) {
        var limit = request.parameter("limit");
        var query =
                new ListQuery(
                        target.namespace(),
                        request.parameter("labelSelector"),
                        request.parameter("fieldSelector"),
                        limit.isEmpty() ? 0 : Integer.parseInt(limit),
                        request.parameter("continue"));
        return switch (store.list(target.type(), query)) {
            case ListAnswer.Page(var items, var version, var next) ->
                    new Reply(200, page(request, target, items, version, next));
            case ListAnswer.Expired(var message) -> Reply.failure(410, "Expired", message);
            case ListAnswer.NotServed() -> Reply.notFound();
            case ListAnswer.Failed(var message) -> Reply.failure(400, "BadRequest", message);
        };
    }

    private Value.Mapping page(
            Request request,
            Target target,
            List<Value.Mapping> items,
            String version,
            String next) {
        var metadata = Tree.of("resourceVersion", version).putUnlessEmpty("continue", next);
        if (request.wantsTable()) {
            return Trees.with(tables.table(target.kind(), items), "metadata", metadata.mapping());
        }
        return Tree.of("kind", target.type().kind() + "List")
                .put("apiVersion", target.type().apiVersion())
                .put("metadata", metadata)
                .putList("items", items)
                .mapping();
    }

    private Reply create(Request request, Target target) {
        var body = request.object();
        if (target.name().isEmpty()) {
            var namespace = target.type().isNamespaced() ? target.namespace() : "";
            return made(new ApiWrite.Create(target.type(), namespace, body));
        }
        var name = target.objectName();
        return switch (target.part()) {
            case "eviction" -> {
                var uid = Trees.text(body, "deleteOptions", "preconditions", "uid");
                yield made(new ApiWrite.Evict(name, uid));
            }
            case "binding" ->
                    Reply.of(
                            store.bind(
                                    BY,
                                    name,
                                    Trees.meta(body, "uid"),
                                    Trees.text(body, "target", "name")),
                            201);
            default -> notAllowed();
        };
    }

    private Reply made(ApiWrite write) {
        return Reply.of(store.write(BY, write), 201);
    }

    private Reply replace(Request request, Target target) {
        var part = subresource(target);
        if (target.part().equals("scale")) {
            return rescale(target, request.object());
        }
        return part == null
                ? Reply.notFound()
                : Reply.of(store.replace(BY, target.type(), request.object(), part), 200);
    }

    private static @Nullable Subresource subresource(Target target) {
        return switch (target.part()) {
            case "" -> Subresource.NONE;
            case "status" -> Subresource.STATUS;
            default -> null;
        };
    }

    private Reply patch(Request request, Target target) {
        if (target.part().equals("scale")) {
            return rescale(target, request.object());
        }
        var part = subresource(target);
        if (part == null) {
            return Reply.notFound();
        }
        for (var kind : PatchKind.values()) {
            if (kind.contentType().equals(request.contentType())) {
                var patch =
                        new ApiWrite.Patch(
                                target.type(), target.objectName(), kind, part, request.body());
                return Reply.of(store.write(BY, patch), 200);
            }
        }
        return Reply.failure(
                415,
                "UnsupportedMediaType",
                "this server knows patches of the kinds merge, strategic merge and JSON; apply with"
                        + " --server-side=false");
    }

    private Reply delete(Request request, Target target) {
        if (target.name().isEmpty()) {
            return notAllowed();
        }
        var options = request.object();
        var policy = option(request, options, "propagationPolicy");
        if (policy.equals("Foreground") || policy.equals("Orphan")) {
            hold(target, policy.equals("Orphan") ? "orphan" : "foregroundDeletion");
        }
        var stated = Trees.number(options, "gracePeriodSeconds");
        var asked = request.parameter("gracePeriodSeconds");
        var grace = stated == null && !asked.isEmpty() ? Long.valueOf(asked) : stated;
        var uid = Trees.text(options, "preconditions", "uid");
        return Reply.of(
                store.write(
                        BY,
                        new ApiWrite.Delete(
                                target.type(),
                                target.objectName(),
                                uid.isEmpty() ? null : uid,
                                grace)),
                200);
    }

    private static String option(Request request, Value.Mapping options, String name) {
        var stated = Trees.text(options, name);
        return stated.isEmpty() ? request.parameter(name) : stated;
    }

    /// A finalizer tells the collector how to go about it.
    private void hold(Target target, String finalizer) {
        var object = store.find(target.type(), target.objectName());
        if (object != null && Trees.meta(object, "deletionTimestamp").isEmpty()) {
            var finalizers = new ArrayList<>(Trees.list(object, "metadata", "finalizers"));
            finalizers.add(Tree.text(finalizer));
            merge(target, Tree.of("metadata", Tree.of().putList("finalizers", finalizers)));
        }
    }

    private ApiAnswer merge(Target target, Tree body) {
        return store.write(
                BY,
                new ApiWrite.Patch(
                        target.type(),
                        target.objectName(),
                        PatchKind.MERGE,
                        Subresource.NONE,
                        body.mapping()));
    }

    private Reply rescale(Target target, Value.Mapping wanted) {
        var replicas = Trees.number(wanted, "spec", "replicas");
        if (!Discovery.isScaled(target.kind())) {
            return Reply.notFound();
        }
        if (replicas == null) {
            return Reply.failure(400, "BadRequest", "spec.replicas is missing");
        }
        return scale(target, merge(target, Tree.of("spec", Tree.of().put("replicas", replicas))));
    }

    private static Reply scale(Target target, ApiAnswer answer) {
        if (!Discovery.isScaled(target.kind())) {
            return Reply.notFound();
        }
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return Reply.of(answer, 200);
        }
        var wanted = Trees.number(object, "spec", "replicas");
        var found = Trees.number(object, "status", "replicas");
        var metadata = Tree.of();
        for (var field :
                List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            metadata.putUnlessEmpty(field, Trees.meta(object, field));
        }
        return new Reply(
                200,
                Tree.of("kind", "Scale")
                        .put("apiVersion", "autoscaling/v1")
                        .put("metadata", metadata)
                        .put("spec", Tree.of().put("replicas", wanted == null ? 0 : wanted))
                        .put("status", Tree.of().put("replicas", found == null ? 0 : found))
                        .mapping());
    }
}
